// Writes src/protocol/types.ts from the JSON Schema of the protocol, which `apnap schema` prints: `types.ts < schema`.
// Reads only what that schema uses; anything else is an error rather than an `any`.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  enum?: (string | number)[];
  type?: string;
  items?: Schema | false;
  prefixItems?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  description?: string;
  $defs?: Record<string, Schema>;
}

/** Words that the page goes through in order: by the name of their type, that of the list. */
const LISTED: Record<string, string> = { Step: "STEPS" };
const PLAIN: Record<string, string> = {
  integer: "number",
  number: "number",
  string: "string",
  boolean: "boolean",
  null: "null",
};

function write(schema: Schema): string {
  if (schema.$ref) return schema.$ref.replace("#/$defs/", "");
  if (schema.anyOf) return schema.anyOf.map(write).join(" | ");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.type === "array") return writeArray(schema);
  if (schema.type === "object") return writeObject(schema);
  const plain = PLAIN[schema.type ?? ""];
  if (plain) return plain;
  if (Object.keys(schema).every((key) => key === "description" || key === "default")) return "unknown";
  throw new Error(`not understood: ${JSON.stringify(schema)}`);
}

function writeArray(schema: Schema): string {
  if (schema.prefixItems) return `[${schema.prefixItems.map(write).join(", ")}]`;
  if (!schema.items) return "unknown[]";
  const item = write(schema.items);
  return /[|"]/.test(item) ? `(${item})[]` : `${item}[]`;
}

function writeObject(schema: Schema): string {
  if (schema.properties) {
    const required = new Set(schema.required ?? []);
    const lines = Object.entries(schema.properties).map(
      ([name, part]) => `  ${name}${required.has(name) ? "" : "?"}: ${write(part)};`,
    );
    return `{\n${lines.join("\n")}\n}`;
  }
  const values = schema.additionalProperties;
  return `Record<string, ${typeof values === "object" ? write(values) : "unknown"}>`;
}

const schema = JSON.parse(readFileSync(0, "utf8")) as Schema;
const parts = Object.entries(schema.$defs ?? {}).map(([name, part]) => {
  const said = part.description ? `/** ${part.description.replaceAll("*/", "* /")} */\n` : "";
  const list = LISTED[name];
  if (!list) return `${said}export type ${name} = ${write(part)};\n`;
  const words = part.enum?.map((word) => JSON.stringify(word)).join(", ");
  return `${said}export const ${list} = [${words}] as const;\nexport type ${name} = (typeof ${list})[number];\n`;
});
const target = fileURLToPath(new URL("../src/protocol/types.ts", import.meta.url));
writeFileSync(
  target,
  `// Written by tools/types.ts from \`apnap schema\`. Do not edit.\n\n${parts.join("\n")}`,
);

// One websocket to the server that dials again by itself. Knows messages, nothing of games: replies go to who asked,
// everything is told to `onMessage` in order.
import { computed, signal } from "@preact/signals";
import type { P, Request } from "./names.ts";

/** `refused`: the server does not take us as who we say we are; nothing is tried until `dial`. */
export type LinkStatus = "connecting" | "open" | "lost" | "refused" | "ended";

/** The server said no; nothing has changed. */
export class Refusal extends Error {
  readonly code: string;
  readonly rule: string;
  constructor(refused: { code: string; sentence: string; rule?: string }) {
    super(refused.sentence);
    this.code = refused.code;
    this.rule = refused.rule ?? "";
  }
}

/** The connection went before the reply came: what became of the request is not known. */
export class Lost extends Error {}

interface Waiting {
  message: Request;
  resolve: (message: P.ServerMessage) => void;
  reject: (fault: Error) => void;
}

const SUBPROTOCOL = "apnap.v1.json";
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;
/** A line that is silent for so long is asked whether it is there, and hung up if it does not say so as long again. */
const SILENCE_MS = 20_000;
/** So long another address of the server's may take until it knows us. */
const BESIDE_MS = 4000;
/** So often we go on to another address with the same wish. */
const MOST_MOVES = 3;
const ENTERING: readonly string[] = ["join", "watch", "resume"];
/** After so long without a reply one is told that the server does not answer. */
const SLOW_MS = 3000;

export class Link {
  readonly status = signal<LinkStatus>("connecting");
  /** Whether a reply has been awaited for too long. */
  readonly slow = signal(false);
  private socket: WebSocket | null = null;
  private readonly waiting = new Map<string, Waiting>();
  private next = 0;
  private wait = FIRST_WAIT_MS;
  /** Whether the server has said that the game goes on elsewhere: then nothing need be waited for. */
  private atOnce = false;
  /** Whether we go to other addresses of the server's: until one of them is of no use. */
  private moves = true;
  /** What was asked for a room that is at another address, until it is asked again. */
  private readonly asked = signal<Waiting | null>(null);
  /** To how many addresses we have gone with that. */
  private moved = 0;
  private readonly between = computed(() => this.status.value === "connecting" || this.asked.value !== null);
  private redial = 0;
  private silence = 0;

  constructor(
    private readonly url: string,
    private readonly hello: () => Omit<P.Hello, "id" | "type">,
    private readonly onMessage: (message: P.ServerMessage) => void,
    /** `moved`: for what was asked before, which is asked again by itself. */
    private readonly onWelcome: (welcome: P.Welcome, moved: boolean) => void,
    /** What to do about a refused hello: true to try again. */
    private readonly onRefused: (refusal: Refusal) => boolean,
  ) {}

  /** Connect now, also when a later attempt is planned. */
  dial(): void {
    window.clearTimeout(this.redial);
    this.hangUp();
    this.giveUp();
    if (this.status.value !== "lost") this.status.value = "connecting";
    this.open(new WebSocket(this.url, SUBPROTOCOL));
  }

  private open(socket: WebSocket, ticket = ""): void {
    this.socket = socket;
    socket.onopen = () => this.greet(socket, ticket);
    socket.onmessage = (event: MessageEvent<string>) =>
      this.receive(JSON.parse(event.data) as P.ServerMessage);
    socket.onclose = () => (ticket && this.asked.value ? this.stay(socket) : this.lost(socket));
  }

  /** Go where the room is, and ask again there; who is led on and on stays. */
  private follow(moved: P.Moved, asked: Waiting): void {
    this.hangUp();
    this.asked.value = asked;
    this.moved += 1;
    if (this.moved > MOST_MOVES) {
      this.stay(null);
      return;
    }
    try {
      const socket = new WebSocket(moved.address, SUBPROTOCOL);
      this.open(socket, moved.ticket);
      window.setTimeout(() => this.asked.value === asked && this.stay(socket), BESIDE_MS);
    } catch {
      this.stay(null); // no page of https opens a websocket that is not encrypted
    }
  }

  /** That address is of no use: back to where we were, which passes on to us what comes from there. */
  private stay(socket: WebSocket | null): void {
    if (socket !== this.socket) return;
    this.moves = false;
    this.hangUp();
    this.open(new WebSocket(this.url, SUBPROTOCOL));
  }

  /** Hang up for good. */
  end(): void {
    window.clearTimeout(this.redial);
    this.status.value = "ended";
    this.giveUp();
    this.hangUp();
  }

  /** Send a message once the server knows us, and wait for its reply. Rejects with `Refusal` or `Lost`. */
  async request<Reply extends P.ServerMessage = P.ServerMessage>(message: Request): Promise<Reply> {
    if (ENTERING.includes(message.type)) this.moved = 0;
    if (this.between.value) await this.known();
    return this.send<Reply>(message);
  }

  /** Wait until this attempt to connect has come to something. */
  private known(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.between.subscribe((between) => {
        if (between) return;
        queueMicrotask(() => stop());
        resolve();
      });
    });
  }

  private send<Reply extends P.ServerMessage = P.ServerMessage>(message: Request): Promise<Reply> {
    return new Promise((resolve, reject) => {
      this.sendOff({ message, resolve: resolve as Waiting["resolve"], reject });
    });
  }

  private sendOff(waiting: Waiting): void {
    const { message, reject } = waiting;
    const socket = this.socket;
    if (!socket || socket.readyState !== WebSocket.OPEN) {
      reject(new Lost());
      return;
    }
    this.next += 1;
    const id = `w${this.next}`;
    this.waiting.set(id, waiting);
    window.setTimeout(() => {
      if (this.waiting.has(id)) this.slow.value = true;
    }, SLOW_MS);
    socket.send(JSON.stringify({ ...message, id }));
  }

  private greet(socket: WebSocket, ticket: string): void {
    const who = ticket ? { ...this.hello(), token: "", ticket } : this.hello();
    this.send<P.Welcome>({ type: "hello", ...who, moves: this.moves }).then(
      (welcome) => {
        this.wait = FIRST_WAIT_MS;
        this.status.value = "open";
        const asked = this.asked.value;
        this.asked.value = null;
        if (asked) this.sendOff(asked);
        this.onWelcome(welcome, asked !== null);
      },
      (fault: Error) => {
        const turnedAway = fault instanceof Refusal && !ticket;
        if (turnedAway && !this.onRefused(fault)) this.status.value = "refused";
        socket.close();
      },
    );
  }

  private receive(message: P.ServerMessage): void {
    this.listen();
    const re = message.re;
    const waiting = re ? this.waiting.get(re) : undefined;
    if (re && waiting) this.waiting.delete(re);
    if (message.type === "moved") {
      if (waiting) this.follow(message, waiting);
      return;
    }
    if (!this.waiting.size) this.slow.value = false;
    if (message.type === "refused") {
      waiting?.reject(new Refusal(message));
      return;
    }
    this.onMessage(message);
    waiting?.resolve(message);
    if (message.type === "closing") {
      if (!message.again) this.end();
      this.atOnce = !message.retry_ms;
    }
  }

  private listen(): void {
    window.clearTimeout(this.silence);
    this.silence = window.setTimeout(() => {
      this.silence = window.setTimeout(() => this.socket?.close(), SILENCE_MS);
      this.send({ type: "ping" }).catch(() => undefined);
    }, SILENCE_MS);
  }

  private lost(socket: WebSocket): void {
    if (socket !== this.socket) return;
    window.clearTimeout(this.silence);
    this.socket = null;
    this.giveUp();
    this.forget();
    if (this.status.value === "ended" || this.status.value === "refused") return;
    this.status.value = "lost";
    this.redial = window.setTimeout(() => this.dial(), this.atOnce ? 0 : this.wait);
    this.atOnce = false;
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT_MS);
  }

  private hangUp(): void {
    const socket = this.socket;
    this.socket = null;
    window.clearTimeout(this.silence);
    socket?.close();
    this.forget();
  }

  /** What is to be asked again is not asked any more. */
  private giveUp(): void {
    this.asked.value?.reject(new Lost());
    this.asked.value = null;
  }

  private forget(): void {
    for (const waiting of this.waiting.values()) waiting.reject(new Lost());
    this.waiting.clear();
    this.slow.value = false;
  }
}

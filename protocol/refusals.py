"""The codes of refusals, and how one is written.

A refusal is the player's: something was malformed, not allowed, too late. Nothing has changed. It says `code` (for
programs), `sentence` (for people, in English; the catalogue has it by key `refused.CODE` in every language), `rule`
(a number of the rules, where one forbids it) and `path` (where in the message, for malformed ones). The list grows; a
client treats a code it does not know like `illegal`.
"""

from enum import StrEnum

from protocol.words import fill


class Code(StrEnum):
    """Every code the server sends of itself. Illegal answers bring the engine's own, more exact codes besides."""

    MALFORMED = "malformed"
    """Not readable as JSON or MessagePack, or nested too deep."""
    UNKNOWN_MESSAGE = "unknown_message"
    """The `type` is missing or none this server knows."""
    INVALID = "invalid"
    """A field is missing, unknown or of the wrong type; `path` says which."""
    TOO_LARGE = "too_large"
    """A frame, name, text or list beyond its limit."""
    TOO_FAST = "too_fast"
    """More messages than the server takes at once; send it again later."""
    HELLO_FIRST = "hello_first"
    """Any message before `hello`."""
    HELLO_TWICE = "hello_twice"
    """A second `hello`."""
    BAD_TOKEN = "bad_token"
    """The token belongs to nobody here."""
    BAD_NAME = "bad_name"
    """The name is empty, too long or unprintable."""
    NAME_TAKEN = "name_taken"
    """Someone else in this room goes by that name."""
    BAD_TEXT = "bad_text"
    """Chat that is empty, too long or unprintable."""
    NO_SUCH_ROOM = "no_such_room"
    NOT_IN_ROOM = "not_in_room"
    """The message needs a room and you are in none."""
    IN_A_ROOM = "in_a_room"
    """You are in a room already; leave it first."""
    ROOM_FULL = "room_full"
    """No seat is free."""
    TOO_MANY_ROOMS = "too_many_rooms"
    """The server has as many rooms as it takes."""
    NO_SUCH_SEAT = "no_such_seat"
    SEAT_TAKEN = "seat_taken"
    NOT_HOST = "not_host"
    """Only the one who opened the room may do that."""
    NOT_SEATED = "not_seated"
    """Spectators may not do that."""
    NO_SPECTATORS = "no_spectators"
    BAD_OPTION = "bad_option"
    """Room options that do not go together."""
    UNKNOWN_BOT = "unknown_bot"
    """No bot plays at that level here."""
    UNKNOWN_DECK = "unknown_deck"
    """No house deck has that name."""
    BAD_DECK = "bad_deck"
    """The deck list cannot be read or is not legal; the sentence names lines and cards."""
    NO_DECK = "no_deck"
    """A seat has no deck yet."""
    NOT_READY = "not_ready"
    """Not everyone is ready, or seats are empty."""
    GAME_ON = "game_on"
    """That can be done only before the game."""
    NO_GAME = "no_game"
    """That can be done only during the game."""
    NOT_OVER = "not_over"
    """That can be done only after the game."""
    NOT_AWAY = "not_away"
    """The seat's person is here, or the seat is a bot's."""
    VOTE_OPEN = "vote_open"
    """Something else is put to the vote just now."""
    NO_VOTE = "no_vote"
    """No such vote is open, or you have no vote in it."""
    NO_TAKEBACK = "no_takeback"
    """There is no such answer of yours, it is too long ago, or the room allows no takebacks."""
    NO_REPEAT = "no_repeat"
    """There is nothing of yours to repeat since that question, or you are not asked."""
    NO_SUCH_OBJECT = "no_such_object"
    """No such object is on the stack."""
    CANNOT_ALWAYS = "cannot_always"
    """Only a yes-or-no question of a source with a name can always be answered."""
    NOT_PAUSED = "not_paused"
    GAME_OVER = "game_over"
    STALE = "stale"
    """The question is not open any more."""
    NOT_YOUR_QUESTION = "not_your_question"
    """No such question is asked of you."""
    WRONG_KIND = "wrong_kind"
    """The answer is of another kind than the question."""
    ILLEGAL = "illegal"
    """The rules do not allow the answer."""
    FROZEN = "frozen"
    """The room met a defect of the server and stands still; its journal is kept."""
    BUSY = "busy"
    """The room's inbox is full; send it again later."""
    CLOSING = "closing"
    """The server is shutting down."""
    DEFECT = "defect"
    """A defect of the server; what was sent had no effect."""


class Refusal(Exception):
    """A refusal on its way to its sender, anywhere above the rules; becomes a `messages.Refused`.

    `code` is a `Code` or a code of the engine; `sentence` defaults to the catalogue's for that code, filled with
    `args`.
    """

    def __init__(
        self, code: str, sentence: str = "", *, rule: str = "", path: str = "", args: dict[str, str | int] | None = None
    ) -> None:
        self.code = str(code)
        self.sentence = sentence or fill(f"refused.{code}", args or {})
        self.rule = rule
        self.path = path
        super().__init__(f"{self.code}: {self.sentence}")

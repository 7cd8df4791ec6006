/** Splits a `text/event-stream` that arrives in pieces into the data of its events. */
export class EventStream {
	readonly #decoder = new TextDecoder();
	readonly #maxCharacters: number;
	/** The start of a line whose end has not arrived. */
	#rest = "";
	#data: string | null = null;
	#id: string | null = null;
	#lastId = "";
	#retryMs: number | null = null;
	#endsWithReturn = false;

	constructor(maxCharacters: number) {
		this.#maxCharacters = maxCharacters;
	}

	/** The id of the last event that was complete; empty without one. */
	get lastId(): string {
		return this.#lastId;
	}

	/** How long to wait before the stream is asked for again, if it says so. */
	get retryMs(): number | null {
		return this.#retryMs;
	}

	/** The data of the events that this piece completes. Throws a `RangeError` if one is too long. */
	push(bytes: Uint8Array): string[] {
		return this.#read(this.#decoder.decode(bytes, { stream: true }));
	}

	/** The data of the last event, if no empty line follows it. */
	end(): string[] {
		return this.#read(`${this.#decoder.decode()}\n\n`);
	}

	#read(piece: string): string[] {
		const events: string[] = [];
		let text = piece;
		if (this.#endsWithReturn && text.startsWith("\n")) text = text.slice(1);
		if (text !== "") this.#endsWithReturn = text.endsWith("\r");
		const end = /\r\n|\n|\r/g;
		let start = 0;
		for (let found = end.exec(text); found !== null; found = end.exec(text)) {
			const line = this.#rest + text.slice(start, found.index);
			this.#rest = "";
			start = end.lastIndex;
			this.#readLine(line, events);
		}
		this.#rest += text.slice(start);
		if (this.#rest.length + (this.#data?.length ?? 0) > this.#maxCharacters) throw new RangeError();
		return events;
	}

	#readLine(line: string, events: string[]): void {
		if (line === "") {
			if (this.#data !== null) events.push(this.#data);
			this.#data = null;
			this.#lastId = this.#id ?? this.#lastId;
		} else if (line === "data" || line.startsWith("data:")) {
			const value = line.slice(line[5] === " " ? 6 : 5);
			this.#data = this.#data === null ? value : `${this.#data}\n${value}`;
			if (this.#data.length > this.#maxCharacters) throw new RangeError();
		} else if (line.startsWith("id:")) {
			this.#id = line.slice(line[3] === " " ? 4 : 3);
		} else if (line.startsWith("retry:")) {
			const value = line.slice(6).trim();
			if (/^\d{1,15}$/.test(value)) this.#retryMs = Number(value);
		}
	}
}

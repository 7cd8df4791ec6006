import { texts } from "./texts.ts";

export interface Turn {
	readonly message: string;
	readonly files: readonly { readonly name: string }[];
	readonly reply: string | null;
	readonly status: "answered" | "failed" | "stopped" | "waiting" | "unfinished";
	readonly waits_for: "time" | "answer" | "event" | null;
	readonly execution_id: string | null;
}

export interface Settings {
	readonly title: string;
	readonly greeting: string | null;
	readonly takes_files: boolean;
}

export interface ChatEvent {
	readonly event: string;
	readonly data: {
		readonly conversation?: string;
		readonly execution_id?: string;
		readonly text?: string;
		readonly status?: string;
	};
}

const BASE = location.pathname.replace(/\/$/, "");

/** For people: it is shown as it is. */
export class Problem extends Error {
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.status = status;
	}
}

export async function call(path: string, token: string, init: RequestInit = {}): Promise<Response> {
	const headers = { ...init.headers, ...(token !== "" && { authorization: `Bearer ${token}` }) };
	const response = await fetch(BASE + path, { ...init, headers }).catch((error: unknown) => {
		if (init.signal?.aborted) throw error;
		throw new Problem(0, texts.offline);
	});
	if (response.ok) return response;
	await response.body?.cancel();
	throw new Problem(response.status, describe(response));
}

/** The longest that a limit by the minute lasts. */
const MAX_MINUTE_SECONDS = 120;

function describe({ status, headers }: Response): string {
	switch (status) {
		case 401:
			return texts.badLink;
		case 404:
			return texts.gone;
		case 409:
			return texts.tooLong;
		case 413:
			return texts.tooLarge;
		case 429:
			// Messages count by the minute, tokens by the day.
			return Number(headers.get("retry-after")) > MAX_MINUTE_SECONDS ? texts.usedUp : texts.tooMany;
		default:
			return texts.failed;
	}
}

/** The events of a reply, as they arrive. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ChatEvent> {
	const reader = body.getReader();
	const decoder = new TextDecoder();
	let unread = "";
	for (;;) {
		const { done, value } = await reader.read();
		if (done) return;
		unread += decoder.decode(value, { stream: true });
		const parts = unread.split("\n\n");
		unread = parts.pop() ?? "";
		for (const part of parts) {
			const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(part) ?? [];
			if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) };
		}
	}
}

/** The two eras of the protocol, by their newest revisions. */
export const MODERN = "2026-07-28";
export const LEGACY = "2025-11-25";
export const ERAS = [MODERN, LEGACY] as const;
export type Era = (typeof ERAS)[number];

export type Fields = Readonly<Record<string, unknown>>;

export interface Message<Result = Fields> {
	readonly id?: unknown;
	readonly method?: string;
	readonly params?: Fields;
	readonly result?: Result;
	readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The `_meta` of a request. A modern client introduces itself in each of them. */
export const buildMeta = (era: Era, clientName: string, meta: Fields | undefined): Fields | undefined =>
	era === LEGACY
		? meta
		: {
				"io.modelcontextprotocol/protocolVersion": MODERN,
				"io.modelcontextprotocol/clientInfo": { name: clientName, version: "1" },
				"io.modelcontextprotocol/clientCapabilities": {},
				...meta,
			};

/** The messages of a response: one as JSON, or those of an event stream. */
export function parseMessages<Result = Fields>(text: string): Message<Result>[] {
	if (text.startsWith("{")) return [JSON.parse(text)];
	return text
		.split("\n")
		.filter((line) => line.startsWith("data: "))
		.map((line) => JSON.parse(line.slice("data: ".length)));
}

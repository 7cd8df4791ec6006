import { endSession, getSession } from "../session/session.ts";

/** An error response of the service. Its message is in English whatever the language of the console. */
export class ApiProblem extends Error {
	readonly status: number;
	/** The whole response body. Some have diagnostics or the ID of a conflicting entry. */
	readonly answer: Readonly<Record<string, unknown>>;

	constructor(status: number, message: string, answer: Readonly<Record<string, unknown>>) {
		super(message);
		this.status = status;
		this.answer = answer;
	}
}

/** The service could not be reached. The same call may succeed later. */
export class NotReached extends Error {}

export interface Sent {
	readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
	readonly json?: unknown;
	readonly yaml?: string;
	/** Sent with its own type. */
	readonly file?: Blob;
	readonly accept?: string;
	/** The version that a change is based on; `none`: that there is no such workflow. Otherwise 412. */
	readonly ifVersion?: number | "none" | undefined;
	readonly signal?: AbortSignal | undefined;
}

/**
 * Calls the console's API with the token of the session. If the token is no longer valid, the session ends and the
 * login page opens.
 */
export async function call<T>(method: string, path: string, sent: Sent = {}): Promise<T> {
	return (await (await send(method, path, sent)).json()) as T;
}

export async function send(method: string, path: string, sent: Sent = {}): Promise<Response> {
	const session = getSession();
	const response = await fetchService(`${path}${buildQuery(sent.query)}`, {
		method,
		headers: {
			...(session !== null && { authorization: `Bearer ${session.token}` }),
			...(sent.json !== undefined && { "content-type": "application/json" }),
			...(sent.yaml !== undefined && { "content-type": "application/yaml" }),
			...(sent.file !== undefined && { "content-type": sent.file.type || "application/octet-stream" }),
			...(sent.accept !== undefined && { accept: sent.accept }),
			...(sent.ifVersion === "none" && { "if-none-match": "*" }),
			...(typeof sent.ifVersion === "number" && { "if-match": `"${sent.ifVersion}"` }),
		},
		body: sent.file ?? sent.yaml ?? (sent.json === undefined ? null : JSON.stringify(sent.json)),
		signal: sent.signal ?? null,
	});
	if (response.ok) return response;
	const answer = (await response.json().catch(() => ({}))) as Record<string, unknown>;
	if (response.status === 401 && getSession()?.token === session?.token) endSession("expired");
	const message = typeof answer.error === "string" ? answer.error : `${path} answers ${response.status}`;
	throw new ApiProblem(response.status, message, answer);
}

async function fetchService(url: string, init: RequestInit): Promise<Response> {
	try {
		return await fetch(url, init);
	} catch (error) {
		if (init.signal?.aborted) throw error;
		throw new NotReached("the service is not responding", { cause: error });
	}
}

function buildQuery(query: Sent["query"] = {}): string {
	const given = Object.entries(query).flatMap(([name, value]) =>
		value === undefined || value === "" ? [] : [[name, String(value)]],
	);
	return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

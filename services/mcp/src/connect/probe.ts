/** The server as a client sees it, for the checks. */
export interface Probe {
	readonly origin: string;
	/** The caller's Authorization header; null: no credential to check with. */
	readonly authorization: string | null;
	/** Throws `Wrong` if there is no response. Redirects are not followed. */
	ask(path: string, init?: AskInit): Promise<Answer>;
}

interface AskInit {
	readonly method?: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** Sent as JSON. */
	readonly json?: unknown;
}

export interface Answer {
	readonly path: string;
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
}

/** A failed check, and how to fix it. */
export class CheckFailed extends Error {
	override readonly name = "CheckFailed";
	readonly fix: string;
	constructor(message: string, fix: string) {
		super(message);
		this.fix = fix;
	}
}

export const REACH_FIX =
	"Start the server, and make sure that your tunnel or reverse proxy passes every path to it unchanged.";

export const createProbe = (
	origin: string,
	authorization: string | null,
	fetch: (request: Request) => Promise<Response>,
): Probe => ({
	origin,
	authorization,
	async ask(path, init = {}) {
		try {
			const response = await fetch(buildRequest(`${origin}${path}`, init));
			return { path, status: response.status, headers: response.headers, text: await response.text() };
		} catch {
			throw new CheckFailed(`No response from ${origin}${path}.`, REACH_FIX);
		}
	},
});

const buildRequest = (url: string, { method = "GET", headers = {}, json }: AskInit): Request =>
	new Request(url, {
		method,
		headers: { accept: "application/json", ...headers, ...(json !== undefined && JSON_BODY) },
		redirect: "manual",
		...(json !== undefined && { body: JSON.stringify(json) }),
	});

const JSON_BODY = { "content-type": "application/json" };

/** The JSON object in a response, which must have the given status. */
export function parseObject(answer: Answer, status: number, fix: string): Readonly<Record<string, unknown>> {
	const { path } = answer;
	if (answer.status >= 300 && answer.status < 400)
		throw new CheckFailed(`${path} redirects (${answer.status}); clients do not follow redirects.`, fix);
	if (answer.status !== status)
		throw new CheckFailed(`${path} answers ${answer.status} instead of ${status}.`, fix);
	const value = parseBody(answer);
	if (typeof value !== "object" || value === null || Array.isArray(value))
		throw new CheckFailed(`${path} does not answer with a JSON object.`, fix);
	return value as Readonly<Record<string, unknown>>;
}

/** The body as JSON; for an event stream, its last message. */
function parseBody({ headers, text }: Answer): unknown {
	const isStream = headers.get("content-type")?.startsWith("text/event-stream") === true;
	const json = isStream ? [...text.matchAll(/^data: ?(.+)$/gm)].at(-1)?.[1] : text;
	try {
		return JSON.parse(json ?? "");
	} catch {
		return undefined;
	}
}

import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";

/** One call of an operation as in the service's documentation, independent of the recipe. */
export interface Exchange {
	readonly component: string;
	readonly authRecipe: string;
	readonly fields: Readonly<Record<string, string>>;
	readonly params: JsonObject;
	readonly request: ExpectedRequest;
	readonly response: {
		readonly status: number;
		readonly headers: Readonly<Record<string, string>>;
		readonly body: string | Uint8Array;
	};
	readonly output: Json;
	/** Instead of `output`: the file that the operation returns. */
	readonly outputFile?: OutputFile;
	/** How the request is authorized if that cannot be a header in the table. */
	readonly authorization?: "sigv4" | "google_token";
}

interface OutputFile {
	readonly name: string;
	readonly type: string;
	/** Defaults to the body of the response. */
	readonly bytes?: Uint8Array;
}

interface ExpectedRequest {
	readonly method: string;
	readonly url: string;
	/** All headers that are sent, except connection headers. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: ExpectedBody | null;
}

/** JSON is compared as a value, other bodies as text or as bytes. */
export type ExpectedBody =
	| { readonly json: Json }
	| { readonly text: string }
	| { readonly bytes: Uint8Array }
	| { readonly message: ExpectedMessage }
	| { readonly parts: readonly ExpectedPart[] };

/** An e-mail, line by line, with `B1`, `B2` and so on for its boundaries. */
interface ExpectedMessage {
	readonly lines: readonly string[];
	/** Whether the whole message is base64. */
	readonly isBase64?: true;
}

interface ExpectedPart {
	readonly name: string;
	readonly filename?: string;
	readonly type?: string;
	readonly content: string | Uint8Array;
}

interface Service {
	readonly id: string;
	readonly authRecipe: string;
	readonly fields: Readonly<Record<string, string>>;
	/** Before each row's path. */
	readonly base: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly authorization?: Exchange["authorization"];
}

interface Row {
	readonly params?: JsonObject;
	/** Method and path, such as `GET /items?limit=10`. */
	readonly sends: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly json?: Json;
	readonly form?: string;
	readonly text?: string;
	readonly bytes?: Uint8Array;
	readonly message?: ExpectedMessage;
	readonly parts?: readonly ExpectedPart[];
	readonly status?: number;
	readonly answerHeaders?: Readonly<Record<string, string>>;
	/** JSON. */
	readonly answer?: Json;
	readonly answerText?: string;
	readonly answerBytes?: Uint8Array;
	readonly outputFile?: Exchange["outputFile"];
	/** Defaults to the answer. */
	readonly output?: Json;
}

const ALWAYS = { accept: "*/*", "user-agent": "Tripline" };

export const toExchanges = (service: Service, rows: Readonly<Record<string, Row>>): Exchange[] =>
	Object.entries(rows).map(([operation, row]) => {
		const [method = "", path = ""] = row.sends.split(/ (.*)/);
		return {
			component: `${service.id}.${operation}`,
			authRecipe: service.authRecipe,
			fields: service.fields,
			params: row.params ?? {},
			request: {
				method,
				url: service.base + path,
				headers: { ...ALWAYS, ...pickContentType(row), ...service.headers, ...row.headers },
				body: toBody(row),
			},
			response: toResponse(row),
			...(row.outputFile === undefined ? {} : { outputFile: row.outputFile }),
			output: row.output !== undefined ? row.output : (row.answer ?? row.answerText ?? null),
			...(service.authorization === undefined ? {} : { authorization: service.authorization }),
		};
	});

function pickContentType({ json, form, parts }: Row): Record<string, string> {
	if (parts !== undefined) return { "content-type": "multipart/form-data" };
	if (json !== undefined) return { "content-type": "application/json" };
	return form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" };
}

function toBody({ json, form, text, bytes, message, parts }: Row): ExpectedBody | null {
	if (json !== undefined) return { json };
	if (message !== undefined) return { message };
	if (bytes !== undefined) return { bytes };
	if (parts !== undefined) return { parts };
	const written = form ?? text;
	return written === undefined ? null : { text: written };
}

const toResponse = (row: Row): Exchange["response"] => {
	const { status = 200, answerHeaders, answer, answerText = "", answerBytes } = row;
	return answer === undefined
		? {
				status,
				headers: { "content-type": "text/plain", ...answerHeaders },
				body: answerBytes ?? answerText,
			}
		: {
				status,
				headers: { "content-type": "application/json; charset=utf-8", ...answerHeaders },
				body: JSON.stringify(answer),
			};
};

import { DEFAULT_AUTH_HEADER } from "@tripline/contract/calling/facts";
import { listSignatureHeaders } from "@tripline/contract/calling/signings";
import type { Target } from "./target.ts";

interface Answer {
	readonly status: number;
	readonly headers: Headers;
	readonly body: string;
}

interface Sent {
	readonly hasSecret: boolean;
	readonly hasToken: boolean;
	readonly method: string;
	readonly contentType: string | null;
}

/** Why a call was refused and what to do, in plain words. Null if it was not. */
export function explainAnswer({ call, name }: Target, sent: Sent, answer: Answer): string | null {
	const { status, headers } = answer;
	switch (status) {
		case 401:
			return explain401(call, sent);
		case 403:
			return "A page of this origin may not call it: add the origin to trigger.cors.";
		case 404:
			return "Nothing is at this address: the workflow or the webhook was deleted.";
		case 405:
			return `${sent.method} is not taken, only ${headers.get("allow")}: use --method, or add it to trigger.methods.`;
		case 409:
			return "A run is in progress or a call with the same Idempotency-Key is: call again later.";
		case 413:
			return call.max_bytes === null
				? "The body is larger than the service takes (MAX_BODY_BYTES)."
				: `The body is larger than ${call.max_bytes} bytes: raise trigger.max_bytes.`;
		case 415:
			return `${sent.contentType ?? "This body"} is not taken, only ${call.accept?.join(", ") ?? "json"}: send another body, or add it to trigger.accept.`;
		case 422:
			return "The input does not match options.input_schema: change --input. All fields of a form are texts.";
		case 429:
			return `Too many calls: wait ${headers.get("retry-after") ?? "a few"} seconds.`;
		case 500: {
			const id = /"execution_id":\s*"([^"]+)"/.exec(answer.body)?.[1];
			return `The run failed. See why: tripline executions ${id === undefined ? (name ?? "") : `show ${id}`}`.trimEnd();
		}
		case 503:
			return "The service has too many runs: call again later.";
		default:
			return status === 400 ? "The request is malformed; the answer says where." : null;
	}
}

/** The credential is checked before the signature. */
function explain401({ auth, signature }: Target["call"], { hasToken, hasSecret }: Sent): string {
	if (auth !== null && !hasToken) {
		const header =
			auth.scheme === "header" ? (auth.header ?? DEFAULT_AUTH_HEADER) : `Authorization (${auth.scheme})`;
		return `The header ${header} is missing. Give the secret of the credential ${auth.credential} in --token-file.`;
	}
	if (signature !== null && !hasSecret) {
		const headers = listSignatureHeaders(signature).join(", ");
		return signature.scheme === "discord"
			? "Only Discord can sign these calls: it alone has the private key."
			: `The call is not signed: ${headers} missing. Give the secret of the credential ${signature.credential} in --secret-file.`;
	}
	if (auth === null && signature === null)
		return "Calls must be signed or carry a credential, as the document of this webhook says.";
	const names = [auth?.credential, signature?.credential].filter((each) => each !== undefined);
	return `The secret is not that of the credential ${names.join(" or ")}.`;
}

/** A refusal with the provider's message. */
export class Refusal extends Error {
	readonly status: number;
	readonly code: number;
	constructor(status: number, code: number, message: string) {
		super(message);
		this.status = status;
		this.code = code;
	}
}

export interface Answer {
	readonly result: unknown;
	readonly status?: number;
	/** How a list is paged. */
	readonly info?: object;
	readonly messages?: readonly object[];
}

export function createEnvelope({ result, status = 200, info, messages = [] }: Answer): Response {
	const body = {
		result,
		success: true,
		errors: [],
		messages,
		...(info !== undefined && { result_info: info }),
	};
	return Response.json(body, { status });
}

export function createRefusal(
	status: number,
	errors: readonly object[],
	headers: Record<string, string> = {},
): Response {
	return Response.json({ result: null, success: false, errors, messages: [] }, { status, headers });
}

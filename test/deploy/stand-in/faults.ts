import { createRefusal } from "./answer.ts";

/** Which calls a fault applies to. */
interface Match {
	readonly method?: string;
	/** A part of the path below `/client/v4`, or a pattern for it. */
	readonly path?: string | RegExp;
	/** How many calls; default: one. */
	readonly times?: number;
	/** How many calls pass before the first fault. */
	readonly skip?: number;
}

export interface Failure extends Match {
	readonly status: number;
	readonly code?: number;
	readonly message?: string;
	/** In seconds. */
	readonly retryAfter?: number;
	/** Sent instead of the envelope, like the page of a proxy. */
	readonly html?: string;
}

export interface Cut extends Match {
	/** The call is executed, and only its answer is lost. */
	readonly isDone?: boolean;
}

export interface Delay extends Match {
	readonly milliseconds: number;
}

interface NumberedCall {
	/** From 1. */
	readonly number: number;
	readonly method: string;
	readonly path: string;
	readonly phase: "before" | "after";
}

/** Called before and after each call; `"cut"` drops the connection at that point. */
export type CallListener = (call: NumberedCall) => unknown;

type Kind = "fail" | "cut" | "delay";

export interface Faults {
	add(kind: "fail", fault: Failure): void;
	add(kind: "cut", fault: Cut): void;
	add(kind: "delay", fault: Delay): void;
	listen(listener: CallListener): () => void;
	/** Answers in place of the call, drops the connection, or lets it pass. */
	around(
		call: { readonly method: string; readonly path: string },
		work: () => Promise<Response>,
	): Promise<Response | "cut">;
}

interface Armed {
	readonly kind: Kind;
	readonly fault: Match;
	skip: number;
	left: number;
}

export function createFaults(): Faults {
	const armed: Armed[] = [];
	const listeners = new Set<CallListener>();
	let count = 0;

	/** Finds the first matching fault and uses it once. */
	function next(kind: Kind, method: string, path: string): Match | undefined {
		for (const one of armed) {
			if (one.kind !== kind || one.left === 0 || !isMatch(one.fault, method, path)) continue;
			if (one.skip > 0) {
				one.skip -= 1;
				continue;
			}
			one.left -= 1;
			return one.fault;
		}
		return undefined;
	}

	async function isCut(call: NumberedCall): Promise<boolean> {
		const said = await Promise.all([...listeners].map((listener) => listener(call)));
		return said.includes("cut");
	}

	return {
		add(kind: Kind, fault: Match) {
			armed.push({ kind, fault, skip: fault.skip ?? 0, left: fault.times ?? 1 });
		},
		listen(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		async around({ method, path }, work) {
			count += 1;
			const call = { number: count, method, path };
			const delay = next("delay", method, path) as Delay | undefined;
			if (delay !== undefined) await new Promise((resolve) => setTimeout(resolve, delay.milliseconds));
			if (await isCut({ ...call, phase: "before" })) return "cut";
			const failure = next("fail", method, path) as Failure | undefined;
			if (failure !== undefined) return createFailure(failure);
			const cut = next("cut", method, path) as Cut | undefined;
			if (cut !== undefined && cut.isDone !== true) return "cut";
			const answer = await work();
			return cut !== undefined || (await isCut({ ...call, phase: "after" })) ? "cut" : answer;
		},
	};
}

function isMatch({ method, path }: Match, calledMethod: string, calledPath: string): boolean {
	if (method !== undefined && method !== calledMethod) return false;
	if (path === undefined) return true;
	return typeof path === "string" ? calledPath.includes(path) : path.test(calledPath);
}

const USUAL: Readonly<Record<number, { readonly code: number; readonly message: string }>> = {
	403: { code: 10000, message: "Authentication error" },
	429: { code: 971, message: "Please wait and consider throttling your request speed" },
};

function createFailure({ status, retryAfter, html, ...given }: Failure): Response {
	const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
	if (html !== undefined)
		return new Response(html, { status, headers: { ...headers, "content-type": "text/html" } });
	const usual = USUAL[status] ?? { code: 10013, message: "workers.api.error.unknown" };
	return createRefusal(
		status,
		[{ code: given.code ?? usual.code, message: given.message ?? usual.message }],
		headers,
	);
}

import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { Miniflare } from "miniflare";
import { Refusal } from "./answer.ts";
import type { Binding } from "./bindings.ts";
import { buildWorkerCode } from "./runtime.ts";
import type { Code, Exports } from "./script.ts";

const started = new Map<string, Promise<Exports>>();

/**
 * Starts a worker alone, as the provider does before it accepts an upload: code that throws while loading is refused.
 * The same code with the same texts is started once.
 */
export function probeExports(code: Code, bindings: readonly Binding[]): Promise<Exports> {
	const texts = listTexts(bindings);
	const { etag, compatibilityDate, compatibilityFlags } = code;
	const key = JSON.stringify([etag, compatibilityDate, compatibilityFlags, texts]);
	const hash = createHash("sha256").update(key).digest("hex");
	const found = started.get(hash) ?? startWorker(code, texts);
	started.set(hash, found);
	// A failed start is not cached: the cause may have been this machine.
	found.catch(() => started.delete(hash));
	return found;
}

async function startWorker(code: Code, texts: Readonly<Record<string, string>>): Promise<Exports> {
	const [main] = code.modules;
	const begin = performance.now();
	const miniflare = new Miniflare({
		name: PROBED,
		...buildWorkerCode(code),
		modules: [
			{ type: "ESModule", path: "stand-in-probe.mjs", contents: renderProbe(main?.path ?? "") },
			...code.modules,
		],
		bindings: texts,
		// Log lines written while loading are discarded.
		handleRuntimeStdio(stdout: Readable, stderr: Readable) {
			stdout.resume();
			stderr.resume();
		},
	});
	try {
		await miniflare.ready;
		const startupMs = Math.round(performance.now() - begin);
		const answer = await miniflare.dispatchFetch("http://probe/");
		return { ...((await answer.json()) as Omit<Exports, "startupMs">), startupMs };
	} catch (error) {
		throw new Refusal(400, 10021, toStartupError((error as Error).message));
	} finally {
		// It rejects with the same error if the start failed.
		await miniflare.dispose().catch(() => {});
	}
}

const PROBED = "uploaded";

/** The runtime's message without Miniflare's prefix. */
function toStartupError(message: string): string {
	return message.split(`service core:user:${PROBED}: `).at(-1)?.trim() ?? message;
}

const renderProbe = (main: string) => `
import { WorkerEntrypoint } from "cloudflare:workers";
import * as uploaded from ${JSON.stringify(`./${main}`)};
const HANDLERS = ["fetch", "scheduled", "queue", "email", "tail", "trace", "tailStream"];
const isClass = (value) => typeof value === "function" && /^class\\b/.test(Function.prototype.toString.call(value));
const main = isClass(uploaded.default) ? uploaded.default.prototype : (uploaded.default ?? {});
export default {
	fetch() {
		return Response.json({
			handlers: HANDLERS.filter((name) => typeof main[name] === "function"),
			entrypoints: Object.keys(uploaded).filter((name) => name !== "default" && isEntrypoint(uploaded[name])),
		});
	},
};
function isEntrypoint(value) {
	return isClass(value)
		? value.prototype instanceof WorkerEntrypoint
		: HANDLERS.some((name) => typeof value?.[name] === "function");
}
`;

const listTexts = (bindings: readonly Binding[]) =>
	Object.fromEntries(bindings.flatMap((one) => ("text" in one ? [[one.name, one.text]] : [])));

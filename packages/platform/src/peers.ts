import { randomToken } from "@tripline/contract/ids";
import type { Background } from "./background.ts";
import type { Kv } from "./kv.ts";
import type { Signals } from "./signals.ts";

/** Asks the other processes of a deployment for what one of them has in memory. */
export interface Peers {
	/** What the first that has it answers; null if none does in time. */
	ask(topic: string, key: string): Promise<string | null>;
	/** How this process answers. Null: it does not have it. */
	answer(topic: string, find: (key: string) => Promise<string | null>): void;
}

/** There are no others. */
export const noPeers: Peers = { ask: async () => null, answer() {} };

/** Protects answers while they are stored. */
interface Sealer {
	seal(context: readonly string[], text: string): Promise<string>;
	open(context: readonly string[], envelope: string): Promise<string>;
}

const ANSWER_TIMEOUT_MS = 500;
const ANSWER_SECONDS = 60;

/** Questions are signals. Answers are too long for one, so they are left in a key-value store for a moment. */
export function signalPeers(deps: {
	readonly signals: Signals;
	readonly kv: Kv;
	readonly sealer: () => Promise<Sealer>;
	readonly background: Background;
	/** How many others are alive. */
	count(): number;
}): Peers {
	const { signals, kv } = deps;
	/** By question: what to do with an answer, which says whether the process has it. */
	const waiting = new Map<string, (hasIt: boolean) => void>();
	signals.on("answered", (text) => waiting.get(text.slice(1))?.(text.startsWith("+")));

	return {
		async ask(topic, key) {
			let left = deps.count();
			if (left === 0) return null;
			const id = randomToken(12);
			const { promise, resolve } = Promise.withResolvers<boolean>();
			waiting.set(id, (hasIt) => {
				left -= 1;
				if (hasIt || left === 0) resolve(hasIt);
			});
			const timer = setTimeout(() => resolve(false), ANSWER_TIMEOUT_MS);
			signals.send(`asked ${topic}`, `${id} ${key}`);
			try {
				if (!(await promise)) return null;
				const sealed = await kv.get(id);
				return sealed === null ? null : await (await deps.sealer()).open([topic, id], sealed);
			} finally {
				clearTimeout(timer);
				waiting.delete(id);
			}
		},

		answer(topic, find) {
			signals.on(`asked ${topic}`, (text) => {
				const end = text.indexOf(" ");
				const id = text.slice(0, end);
				deps.background.run("answer to another process", async () => {
					const found = await find(text.slice(end + 1));
					if (found !== null) {
						const sealed = await (await deps.sealer()).seal([topic, id], found);
						await kv.put(id, sealed, { ttlSeconds: ANSWER_SECONDS });
					}
					signals.send("answered", (found === null ? "-" : "+") + id);
				});
			});
		},
	};
}

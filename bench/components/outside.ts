import { fileURLToPath } from "node:url";
import { type Child, startNode } from "../child.ts";

/** Each host takes as many concurrent calls as one host may get. */
export const HOSTS = 4;
export const SLOW_MS = 2_000;

export interface Outside extends Child {
	/** One for each host. Below each: `/thing` at once, `/slow`, and `/most` calls of it at the same time. */
	readonly urls: readonly string[];
	readonly url: string;
}

/** The called server, in its own process so that its CPU time does not count. */
export async function startOutside(folder: string): Promise<Outside> {
	const file = fileURLToPath(import.meta.resolve("./outside-server.ts"));
	const child = await startNode([file], { folder, env: {}, ready: "ready http" });
	const urls = child.said.trim().split(" ").slice(1);
	return { ...child, urls, url: urls[0] as string };
}

/** The maximum number of concurrent slow calls since the last call. */
export async function readMaxConcurrent({ url }: Pick<Outside, "url">): Promise<number> {
	return (await (await fetch(`${url}/most`)).json()) as number;
}

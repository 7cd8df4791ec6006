import { fileURLToPath } from "node:url";
import { type Child, startNode } from "../child.ts";

/** Each takes as many calls at a time as one host may get. */
export const HOSTS = 4;
export const SLOW_MS = 2_000;

export interface Outside extends Child {
	/** One for each host. Below each: `/thing` at once, `/slow`, and `/most` calls of it at the same time. */
	readonly urls: readonly string[];
	readonly url: string;
}

/** What is called, in a process of its own so that its time does not count. */
export async function startOutside(folder: string): Promise<Outside> {
	const file = fileURLToPath(import.meta.resolve("./outside-server.ts"));
	const child = await startNode([file], { folder, env: {}, ready: "ready http" });
	const urls = child.said.trim().split(" ").slice(1);
	return { ...child, urls, url: urls[0] as string };
}

/** How many slow calls there were at the same time since this was last asked. */
export async function mostAtOnce({ url }: Pick<Outside, "url">): Promise<number> {
	return (await (await fetch(`${url}/most`)).json()) as number;
}

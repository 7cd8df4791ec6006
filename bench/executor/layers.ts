import { fileURLToPath } from "node:url";
import { type Child, startNode } from "../child.ts";

export type Layer = "bare" | "listener" | "body" | "app" | "guard";

export interface LayerServer extends Child {
	readonly url: string;
}

/** A server that does a part of the service's work, in its own process. */
export async function startLayer(layer: Layer, folder: string, answer: object): Promise<LayerServer> {
	const file = fileURLToPath(import.meta.resolve("./layer-server.ts"));
	const args = ["--disable-warning=ExperimentalWarning", file, layer, JSON.stringify(answer)];
	const child = await startNode(args, { folder, env: {}, ready: "ready http" });
	return { ...child, url: child.said.trim().split(" ")[1] as string };
}

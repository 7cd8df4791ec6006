import type { ServerResponse } from "node:http";
import { type Loopback, loopback } from "./loopback.ts";

type Serve = (response: ServerResponse) => void;

/** A registry with configurable answers by id. */
export interface FalseRegistry extends Loopback {
	/** Serves the manifest as an honest registry would. */
	offer(manifest: { readonly id: string; readonly [name: string]: unknown }, over?: object): void;
	/** Serves any answer for all versions of an id. */
	serve(id: string, serve: Serve): void;
}

export async function falseRegistry(): Promise<FalseRegistry> {
	const served = new Map<string, Serve>();
	const server = await loopback(({ path }, response) => {
		const [, , id = ""] = path.split("/");
		const serve = served.get(id);
		if (serve !== undefined) return serve(response);
		response.writeHead(404, JSON_HEADERS);
		response.end('{"error":"component not found"}');
	});
	const serve: FalseRegistry["serve"] = (id, answer) => void served.set(id, answer);
	return {
		...server,
		serve,
		offer(manifest, over = {}) {
			serve(manifest.id, (response) => {
				const { id } = manifest;
				const answer = {
					id,
					version: "1.0.0",
					sha256: "0".repeat(64),
					published_at: null,
					manifest,
					...over,
				};
				response.writeHead(200, JSON_HEADERS);
				response.end(JSON.stringify(answer));
			});
		},
	};
}

export const JSON_HEADERS = { "content-type": "application/json" };

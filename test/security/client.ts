import { Agent, request } from "node:http";

export interface Answer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly text: string;
	/** The parsed body if it is JSON, else undefined. */
	readonly body: unknown;
}

export interface CallOptions {
	/** Name, value, name, value, so that a header can be repeated. */
	readonly headers?: readonly string[];
	readonly body?: string | Uint8Array;
}

export interface Client {
	call(method: string, path: string, options?: CallOptions): Promise<Answer>;
	close(): void;
}

const AT_ONCE = 16;

/** Sends paths and headers unchanged, while `fetch` would normalize them. */
export function createClient(baseUrl: () => string): Client {
	const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
	const call: Client["call"] = (method, path, options = {}) =>
		new Promise((resolve, reject) => {
			const { host, hostname, port } = new URL(baseUrl());
			const body = options.body === undefined ? undefined : Buffer.from(options.body);
			const length = body === undefined ? [] : ["content-length", String(body.length)];
			const headers = ["host", host, ...length, ...(options.headers ?? [])];
			const sent = request({ agent, hostname, port, method, path, headers }, (response) => {
				const chunks: Buffer[] = [];
				response.on("data", (chunk: Buffer) => chunks.push(chunk));
				response.on("error", reject);
				response.on("end", () => {
					const text = Buffer.concat(chunks).toString("utf8");
					const isJson = /^application\/json/.test(response.headers["content-type"] ?? "");
					resolve({
						status: response.statusCode ?? 0,
						headers: response.headers,
						text,
						body: isJson && text !== "" ? JSON.parse(text) : undefined,
					});
				});
			});
			sent.on("error", (error) => {
				// The server closed a keep-alive connection before it read the request.
				if (sent.reusedSocket && /ECONNRESET|EPIPE/.test(String((error as NodeJS.ErrnoException).code))) {
					resolve(call(method, path, options));
				} else reject(new Error(`${method} ${path.slice(0, 200)}: ${error.message}`));
			});
			sent.end(body);
		});
	return {
		call,
		close: () => agent.destroy(),
	};
}

/** Does the work for each item in order, a few at a time. */
export async function forEachItem<T>(
	items: Iterable<T>,
	work: (item: T) => Promise<void>,
	atOnce = AT_ONCE,
): Promise<void> {
	const waiting = items[Symbol.iterator]();
	const worker = async () => {
		for (let next = waiting.next(); !next.done; next = waiting.next()) await work(next.value);
	};
	await Promise.all(Array.from({ length: atOnce }, worker));
}

export const JSON_TYPE: readonly string[] = ["content-type", "application/json"];
export const YAML_TYPE: readonly string[] = ["content-type", "application/yaml"];
export const tenant = (value: string): readonly string[] => ["x-service-api-key", value];

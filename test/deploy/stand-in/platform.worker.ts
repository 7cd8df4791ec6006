import { WorkerEntrypoint } from "cloudflare:workers";

interface Env {
	/** `<subdomain>.workers.dev`, or nothing. */
	readonly ZONE: string;
	readonly OUTSIDE?: { fetch(request: Request): Promise<Response> };
	readonly VECTORS: KeyValues;
}

interface KeyValues {
	get(key: string, type: "json"): Promise<unknown>;
	put(key: string, value: string): Promise<void>;
	delete(key: string): Promise<void>;
	list(options: { prefix: string }): Promise<{ keys: { name: string }[] }>;
}

/**
 * Handles `fetch` of workers, which never reaches another worker of the same zone.
 * @public
 */
export class Network extends WorkerEntrypoint<Env> {
	async fetch(request: Request): Promise<Response> {
		const { hostname } = new URL(request.url);
		if (this.env.ZONE !== "" && hostname.endsWith(`.${this.env.ZONE}`)) {
			return new Response("error code: 1042", { status: 404 });
		}
		if (LOOPBACK.test(hostname)) return fetch(request, { redirect: "manual" });
		if (this.env.OUTSIDE !== undefined) return this.env.OUTSIDE.fetch(request);
		return new Response("error code: 1016", { status: 530 });
	}
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * The target of a binding whose worker no longer exists.
 * @public
 */
export class Missing extends WorkerEntrypoint<Env> {
	async fetch(): Promise<Response> {
		throw new Error("The service of this binding, or its entrypoint, does not exist.");
	}
}

/**
 * Gives texts with the same words similar vectors.
 * @public
 */
export class Ai extends WorkerEntrypoint<Env> {
	async run(model: string, input: { readonly text: string | readonly string[] }) {
		const dimensions = DIMENSIONS[model];
		if (dimensions === undefined) throw new Error(`5007: No such model ${model} or task`);
		const data = [input.text].flat().map((text) => toVector(text, dimensions));
		return { shape: [data.length, dimensions], data };
	}
}

const DIMENSIONS: Readonly<Record<string, number>> = {
	"@cf/baai/bge-small-en-v1.5": 384,
	"@cf/baai/bge-base-en-v1.5": 768,
	"@cf/baai/bge-large-en-v1.5": 1024,
	"@cf/baai/bge-m3": 1024,
};

function toVector(text: string, dimensions: number): number[] {
	const vector = new Array<number>(dimensions).fill(0);
	for (const [word] of text.toLowerCase().matchAll(/\p{L}+|\p{N}+/gu)) {
		const place = [...word].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0, 7);
		vector[place % dimensions] = (vector[place % dimensions] ?? 0) + 1;
	}
	const length = Math.hypot(...vector) || 1;
	return vector.map((value) => value / length);
}

interface Vector {
	readonly id: string;
	readonly namespace?: string;
	readonly values: readonly number[];
}

/**
 * An index of the account, its name in the binding's props.
 * @public
 */
export class Vectorize extends WorkerEntrypoint<Env> {
	async upsert(vectors: readonly Vector[]) {
		for (const vector of vectors) await this.env.VECTORS.put(this.#key(vector.id), JSON.stringify(vector));
		return { mutationId: crypto.randomUUID() };
	}

	async deleteByIds(ids: readonly string[]) {
		for (const id of ids) await this.env.VECTORS.delete(this.#key(id));
		return { mutationId: crypto.randomUUID() };
	}

	async query(
		vector: readonly number[],
		{ topK = 5, namespace }: { topK?: number; namespace?: string } = {},
	) {
		const { keys } = await this.env.VECTORS.list({ prefix: this.#key("") });
		const all = await Promise.all(keys.map(({ name }) => this.env.VECTORS.get(name, "json")));
		const matches = (all as Vector[])
			.filter((one) => one.namespace === namespace)
			.map(({ id, values }) => ({ id, score: values.reduce((sum, v, i) => sum + v * (vector[i] ?? 0), 0) }))
			.sort((one, other) => other.score - one.score)
			.slice(0, topK);
		return { matches, count: matches.length };
	}

	#key(id: string): string {
		// The ambient type of an entrypoint has no props.
		const { ctx } = this as unknown as { readonly ctx: { readonly props: { readonly index: string } } };
		return `${ctx.props.index}/${id}`;
	}
}

/**
 * The entry point: calls the worker and address given in headers, and answers like the provider's own servers if that
 * throws.
 * @public
 */
export default {
	async fetch(
		request: Request,
		env: Readonly<Record<string, { fetch(request: Request): Promise<Response> }>>,
	) {
		const url = request.headers.get("stand-in-url") ?? "";
		const worker = env[`worker:${request.headers.get("stand-in-worker")}`];
		const passed = new Request(url, request);
		passed.headers.set("host", new URL(url).host);
		passed.headers.delete("stand-in-url");
		passed.headers.delete("stand-in-worker");
		try {
			return (await worker?.fetch(passed)) ?? new Response("error code: 1042", { status: 404 });
		} catch {
			return new Response("error code: 1101", { status: 500 });
		}
	},
};

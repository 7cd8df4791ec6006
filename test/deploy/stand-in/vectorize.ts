import * as z from "zod";
import type { Account } from "./account.ts";
import { Refusal } from "./answer.ts";
import { createRoute, VECTORIZE } from "./api.ts";

const INDEXES = "/vectorize/v2/indexes";
const READ = { permission: "Vectorize Read", product: VECTORIZE } as const;
const WRITE = { permission: "Vectorize Write", product: VECTORIZE } as const;

const PRESETS = {
	"@cf/baai/bge-small-en-v1.5": { dimensions: 384, metric: "cosine" },
	"@cf/baai/bge-base-en-v1.5": { dimensions: 768, metric: "cosine" },
	"@cf/baai/bge-large-en-v1.5": { dimensions: 1024, metric: "cosine" },
} as const;

const list = createRoute({
	...READ,
	method: "GET",
	path: INDEXES,
	handle: ({ account }) => ({ result: [...account.indexes.values()] }),
});

const create = createRoute({
	...WRITE,
	method: "POST",
	path: INDEXES,
	body: z.strictObject({
		name: z.string().regex(/^[a-z]([a-z0-9-]{0,62}[a-z0-9])?$/),
		description: z.string().optional(),
		config: z.union([
			z.strictObject({
				dimensions: z.number().int().min(1).max(1536),
				metric: z.enum(["cosine", "euclidean", "dot-product"]),
			}),
			z.strictObject({ preset: z.enum(Object.keys(PRESETS) as (keyof typeof PRESETS)[]) }),
		]),
	}),
	handle({ account, body: { name, description = "", config } }) {
		if (account.indexes.has(name)) {
			throw new Refusal(400, 3002, `vectorize.index.duplicate_name - Index name "${name}"`);
		}
		const now = new Date().toISOString();
		const index = {
			name,
			description,
			config: "preset" in config ? PRESETS[config.preset] : config,
			created_on: now,
			modified_on: now,
		};
		account.indexes.set(name, index);
		return { result: index };
	},
});

const get = createRoute({
	...READ,
	method: "GET",
	path: `${INDEXES}/:name`,
	handle: ({ account, param }) => ({ result: findIndex(account, param("name")) }),
});

const remove = createRoute({
	...WRITE,
	method: "DELETE",
	path: `${INDEXES}/:name`,
	handle({ account, param }) {
		account.indexes.delete(findIndex(account, param("name")).name);
		account.runtime.changed();
		return { result: null };
	},
});

export const vectorizeRoutes = [list, create, get, remove];

function findIndex(account: Account, name: string) {
	const index = account.indexes.get(name);
	if (index === undefined) throw new Refusal(404, 3000, `vectorize.not_found - Index "${name}"`);
	return index;
}

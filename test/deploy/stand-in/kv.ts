import { randomBytes } from "node:crypto";
import * as z from "zod";
import type { Account } from "./account.ts";
import { Refusal } from "./answer.ts";
import { createRoute, KV, pageQuery, paginate } from "./api.ts";

const NAMESPACES = "/storage/kv/namespaces";
const READ = { permission: "Workers KV Storage Read", product: KV } as const;
const WRITE = { permission: "Workers KV Storage Write", product: KV } as const;

const titleSchema = z.strictObject({ title: z.string().min(1).max(512) });

const list = createRoute({
	...READ,
	method: "GET",
	path: NAMESPACES,
	query: pageQuery({ least: 1, most: 1000, usual: 20 }),
	handle({ account, query }) {
		const { rows, info } = paginate([...account.namespaces.values()], query, account.mostPerPage);
		const total_pages = Math.ceil(info.total_count / info.per_page);
		return { result: rows.map(renderNamespace), info: { ...info, total_pages } };
	},
});

const create = createRoute({
	...WRITE,
	method: "POST",
	path: NAMESPACES,
	body: titleSchema,
	handle({ account, body: { title } }) {
		if ([...account.namespaces.values()].some((namespace) => namespace.title === title)) {
			throw new Refusal(400, 10014, "a namespace with this account ID and title already exists");
		}
		const namespace = { id: randomBytes(16).toString("hex"), title };
		account.namespaces.set(namespace.id, namespace);
		account.runtime.changed();
		return { result: renderNamespace(namespace) };
	},
});

const get = createRoute({
	...READ,
	method: "GET",
	path: `${NAMESPACES}/:id`,
	handle: ({ account, param }) => ({ result: renderNamespace(findNamespace(account, param("id"))) }),
});

const rename = createRoute({
	...WRITE,
	method: "PUT",
	path: `${NAMESPACES}/:id`,
	body: titleSchema,
	handle({ account, param, body: { title } }) {
		findNamespace(account, param("id")).title = title;
		return { result: null };
	},
});

const remove = createRoute({
	...WRITE,
	method: "DELETE",
	path: `${NAMESPACES}/:id`,
	handle({ account, param }) {
		account.namespaces.delete(findNamespace(account, param("id")).id);
		account.runtime.changed();
		return { result: null };
	},
});

const keys = createRoute({
	...READ,
	method: "GET",
	path: `${NAMESPACES}/:id/keys`,
	query: z.object({
		limit: z.coerce.number().int().min(10).max(1000).default(1000),
		cursor: z.string().optional(),
		prefix: z.string().optional(),
	}),
	async handle({ account, param, query }) {
		const kv = await account.runtime.kv(findNamespace(account, param("id")).id);
		const found = await kv.list(query);
		const cursor = found.list_complete ? "" : found.cursor;
		return { result: found.keys, info: { count: found.keys.length, cursor } };
	},
});

const read = createRoute({
	...READ,
	method: "GET",
	path: `${NAMESPACES}/:id/values/:key`,
	async handle({ account, param }) {
		const kv = await account.runtime.kv(findNamespace(account, param("id")).id);
		const value = await kv.get(param("key"), "arrayBuffer");
		if (value === null) throw new Refusal(404, 10009, "get: 'key not found'");
		return new Response(value, { headers: { "content-type": "application/octet-stream" } });
	},
});

const write = createRoute({
	...WRITE,
	method: "PUT",
	path: `${NAMESPACES}/:id/values/:key`,
	query: z.object({ expiration_ttl: z.coerce.number().int().min(60).optional() }),
	async handle({ account, param, query, request }) {
		const kv = await account.runtime.kv(findNamespace(account, param("id")).id);
		const { expiration_ttl: expirationTtl } = query;
		await kv.put(param("key"), await request.arrayBuffer(), { ...(expirationTtl && { expirationTtl }) });
		return { result: null };
	},
});

const erase = createRoute({
	...WRITE,
	method: "DELETE",
	path: `${NAMESPACES}/:id/values/:key`,
	async handle({ account, param }) {
		const kv = await account.runtime.kv(findNamespace(account, param("id")).id);
		await kv.delete(param("key"));
		return { result: null };
	},
});

export const kvRoutes = [list, create, get, rename, remove, keys, read, write, erase];

function findNamespace(account: Account, id: string) {
	const namespace = account.namespaces.get(id);
	if (namespace === undefined) throw new Refusal(404, 10013, "get namespace: 'namespace not found'");
	return namespace;
}

const renderNamespace = ({ id, title }: { readonly id: string; readonly title: string }) => ({
	id,
	title,
	supports_url_encoding: true,
});

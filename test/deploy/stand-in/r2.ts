import * as z from "zod";
import type { Account } from "./account.ts";
import { Refusal } from "./answer.ts";
import { createRoute, parseChecked, R2 } from "./api.ts";

const BUCKETS = "/r2/buckets";
const READ = { permission: "Workers R2 Storage Read", product: R2 } as const;
const WRITE = { permission: "Workers R2 Storage Write", product: R2 } as const;

const bucketSchema = z.strictObject({
	name: z.string().min(1),
	storageClass: z.enum(["Standard", "InfrequentAccess"]).optional(),
	locationHint: z.enum(["apac", "eeur", "enam", "weur", "wnam", "oc"]).optional(),
});

const list = createRoute({
	...READ,
	method: "GET",
	path: BUCKETS,
	handle: ({ account }) => ({ result: { buckets: [...getBuckets(account).values()] } }),
});

const create = createRoute({
	...WRITE,
	method: "POST",
	path: BUCKETS,
	async handle({ account, request }) {
		// Unlike other products, R2 takes JSON without its content type.
		const { name } = parseChecked(bucketSchema, await request.json(), R2);
		const buckets = getBuckets(account);
		if (!/^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(name))
			throw new Refusal(400, 10005, "The specified bucket name is not valid.");
		if (buckets.has(name)) {
			const message = "The bucket you tried to create already exists, and you own it.";
			throw new Refusal(409, 10004, message);
		}
		const bucket = { name, creation_date: new Date().toISOString() };
		buckets.set(name, bucket);
		account.runtime.changed();
		return { result: { ...bucket, location: "WEUR", storage_class: "Standard" } };
	},
});

const get = createRoute({
	...READ,
	method: "GET",
	path: `${BUCKETS}/:name`,
	handle({ account, param }) {
		const bucket = getBuckets(account).get(param("name"));
		if (bucket === undefined) throw createNotFound();
		return { result: { ...bucket, location: "WEUR", storage_class: "Standard" } };
	},
});

const remove = createRoute({
	...WRITE,
	method: "DELETE",
	path: `${BUCKETS}/:name`,
	handle({ account, param }) {
		if (!getBuckets(account).delete(param("name"))) throw createNotFound();
		account.runtime.changed();
		return { result: {} };
	},
});

export const r2Routes = [list, create, get, remove];

function getBuckets({ buckets }: Account) {
	if (buckets !== null) return buckets;
	throw new Refusal(403, 10042, "Please enable R2 through the Cloudflare Dashboard.");
}

const createNotFound = () => new Refusal(404, 10006, "The specified bucket does not exist.");

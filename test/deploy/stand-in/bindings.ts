import * as z from "zod";
import { Refusal } from "./answer.ts";

const name = z.string().regex(/^[A-Za-z_$][\w$]*$/, "must be a JavaScript identifier");

/** The kinds that the stand-in runs; the provider has more. */
const bindingSchema = z.discriminatedUnion("type", [
	z.strictObject({ type: z.literal("kv_namespace"), name, namespace_id: z.string().min(1) }),
	z.strictObject({ type: z.literal("d1"), name, id: z.string().min(1) }),
	z.strictObject({ type: z.literal("vectorize"), name, index_name: z.string().min(1) }),
	z.strictObject({ type: z.literal("r2_bucket"), name, bucket_name: z.string().min(1) }),
	z.strictObject({ type: z.literal("ai"), name }),
	z.strictObject({
		type: z.literal("service"),
		name,
		service: z.string().min(1),
		environment: z.literal("production").optional(),
		entrypoint: z.string().min(1).optional(),
	}),
	z.strictObject({ type: z.literal("plain_text"), name, text: z.string() }),
	z.strictObject({ type: z.literal("secret_text"), name, text: z.string() }),
	z.strictObject({ type: z.literal("json"), name, json: z.json() }),
	z.strictObject({ type: z.literal("version_metadata"), name }),
	z.strictObject({ type: z.literal("assets"), name }),
]);

/** Bindings in an upload, including inherited ones of the previous version. */
export const uploadedBindingSchema = z.discriminatedUnion("type", [
	...bindingSchema.options,
	z.strictObject({ type: z.literal("inherit"), name, old_name: z.string().optional() }),
]);

export type Binding = z.infer<typeof bindingSchema>;

const MAX_BINDINGS = 64;
const MAX_TEXT_BYTES = 5 * 1024;

/** The bindings of a new version: the given ones, and those of the previous version whose type is kept. */
export function buildBindings(
	named: readonly z.infer<typeof uploadedBindingSchema>[],
	keptTypes: readonly string[],
	before: readonly Binding[],
): readonly Binding[] {
	const bindings = named.map((binding) =>
		binding.type === "inherit" ? findInherited(binding, before) : binding,
	);
	const names = new Set(bindings.map((binding) => binding.name));
	if (names.size < bindings.length) {
		throw new Refusal(400, 10053, "Binding name already in use. Please use a different name and try again.");
	}
	return [...bindings, ...before.filter((old) => keptTypes.includes(old.type) && !names.has(old.name))];
}

function findInherited(
	{ name: newName, old_name = newName }: { readonly name: string; readonly old_name?: string | undefined },
	before: readonly Binding[],
): Binding {
	const old = before.find((binding) => binding.name === old_name);
	if (old === undefined) throw new Refusal(400, 10056, `Binding "${old_name}" not found`);
	return { ...old, name: newName };
}

/** What bindings can lead to, by id or name. */
type Targets = Readonly<
	Record<"namespaces" | "databases" | "indexes" | "scripts", Keys> & { buckets: Keys | null }
>;

interface Keys {
	has(key: string): boolean;
}

/** Rejects bindings to missing resources, and too many bindings. A script may be bound to itself. */
export function checkBindings(account: Targets, script: string, bindings: readonly Binding[]): void {
	if (bindings.filter(({ type }) => type.endsWith("_text")).length > MAX_BINDINGS) {
		throw new Refusal(400, 10055, "Too many environment variables and secrets");
	}
	for (const binding of bindings) checkBinding(account, script, binding);
}

function checkBinding(account: Targets, script: string, binding: Binding): void {
	switch (binding.type) {
		case "kv_namespace":
			if (account.namespaces.has(binding.namespace_id)) return;
			throw new Refusal(400, 10041, `KV namespace '${binding.namespace_id}' not found`);
		case "d1": {
			if (account.databases.has(binding.id)) return;
			const how = "must have a database that already exists";
			throw new Refusal(400, 10181, `binding ${binding.name} of type d1 ${how}`);
		}
		case "vectorize":
			if (account.indexes.has(binding.index_name)) return;
			throw new Refusal(400, 10159, `Vectorize index '${binding.index_name}' not found`);
		case "r2_bucket":
			if (account.buckets?.has(binding.bucket_name)) return;
			throw new Refusal(400, 10085, `R2 bucket '${binding.bucket_name}' not found`);
		case "service": {
			if (binding.service === script || account.scripts.has(binding.service)) return;
			const what = `could not resolve binding "${binding.name}": script "${binding.service}" not found`;
			throw new Refusal(400, 10143, `workers.api.error.service_binding_error: ${what}`);
		}
		case "plain_text":
		case "secret_text":
			if (Buffer.byteLength(binding.text) <= MAX_TEXT_BYTES) return;
			throw new Refusal(400, 10054, `Text binding "${binding.name}" is too large (5 KB at most)`);
	}
}

/** Bindings as the provider shows them: secrets only by name. */
export function renderBindings(bindings: readonly Binding[]): readonly object[] {
	return bindings.map((binding) =>
		binding.type === "secret_text" ? { name: binding.name, type: binding.type } : binding,
	);
}

export function listSecrets(
	bindings: readonly Binding[],
): readonly { name: string; type: string; text: string }[] {
	return bindings.flatMap((binding) => (binding.type === "secret_text" ? [binding] : []));
}

import type { Graph, JsonObject, Options, Trigger } from "@tripline/contract/workflows";
import type { Kv } from "@tripline/platform/kv";

/** The value stored under a webhook's token. */
export interface WebhookRecord {
	readonly graph: Graph;
	readonly description: string;
	readonly created_at: string;
	readonly name?: string;
	readonly context?: JsonObject;
	readonly options?: Options;
	readonly trigger?: Trigger;
	/** The owner. Absent for an anonymous webhook, whose runs belong to the namespace in the trigger's header. */
	readonly namespace?: string;
}

/** Neither a namespace nor a token contains a colon, so the two kinds of keys cannot collide. */
const buildOwnedKey = (namespace: string, token: string): string => `${namespace}:wh:${token}`;

export function webhookStorage(kv: Kv) {
	return {
		async put(token: string, record: WebhookRecord): Promise<void> {
			await kv.put(token, JSON.stringify(record));
			// After the record: a crash in between leaves a webhook that works but is not listed.
			if (record.namespace !== undefined) await kv.put(buildOwnedKey(record.namespace, token), "");
		},

		/** The stored text, which may be unparsable. */
		get: (token: string): Promise<string | null> => kv.get(token),

		async list(namespace: string, limit: number, cursor: string | undefined) {
			const prefix = buildOwnedKey(namespace, "");
			const page = await kv.list({ prefix, limit, cursor: cursor ?? null });
			return { tokens: page.keys.map((key) => key.slice(prefix.length)), cursor: page.cursor };
		},

		/** True if the namespace had that webhook. */
		async delete(namespace: string, token: string): Promise<boolean> {
			const key = buildOwnedKey(namespace, token);
			if ((await kv.get(key)) === null) return false;
			await kv.delete(token);
			await kv.delete(key);
			return true;
		},
	};
}

export type WebhookStorage = ReturnType<typeof webhookStorage>;

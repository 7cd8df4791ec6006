import { isKey, type Kv } from "@tripline/platform/kv";

const buildKey = (namespace: string, name: string): string => `${namespace}:wf:${name}`;

/** Named workflows from before they moved to the store. They are read, copied and deleted, never written. */
export function legacyWorkflowStorage(kv: Kv) {
	return {
		async get(namespace: string, name: string): Promise<string | null> {
			const key = buildKey(namespace, name);
			// A name with too many bytes is not a valid key, so such a workflow cannot exist.
			return isKey(key) ? kv.get(key) : null;
		},

		async names(namespace: string): Promise<string[]> {
			const prefix = buildKey(namespace, "");
			const names: string[] = [];
			let cursor: string | null = null;
			do {
				const page = await kv.list({ prefix, cursor });
				names.push(...page.keys.map((key) => key.slice(prefix.length)));
				cursor = page.cursor;
			} while (cursor !== null);
			return names;
		},

		/** True if it existed. */
		async delete(namespace: string, name: string): Promise<boolean> {
			const key = buildKey(namespace, name);
			if (!isKey(key) || (await kv.get(key)) === null) return false;
			await kv.delete(key);
			return true;
		},
	};
}

export type LegacyWorkflowStorage = ReturnType<typeof legacyWorkflowStorage>;

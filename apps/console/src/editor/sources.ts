import { api } from "../api/api.ts";
import type { ComponentDetail, ComponentItem } from "../api/types.ts";

/** Data that completion loads from the service. */
export interface Sources {
	components(): readonly ComponentItem[];
	/** Null if the component does not exist or cannot be loaded. */
	component(id: string): Promise<ComponentDetail | null>;
	credentials(): Promise<readonly string[]>;
}

const CREDENTIALS_MS = 30_000;

/** The sources of one editor, which load each component once. */
export function createSources(components: () => readonly ComponentItem[]): Sources {
	const details = new Map<string, Promise<ComponentDetail | null>>();
	let credentials: { readonly at: number; readonly names: Promise<readonly string[]> } | null = null;
	return {
		components,
		component(id) {
			if (!components().some((each) => each.id === id)) return Promise.resolve(null);
			const known = details.get(id);
			if (known !== undefined) return known;
			const asked = api.components.get(id).catch(() => {
				details.delete(id);
				return null;
			});
			details.set(id, asked);
			return asked;
		},
		credentials() {
			if (credentials === null || Date.now() - credentials.at > CREDENTIALS_MS)
				credentials = {
					at: Date.now(),
					names: api.credentials.list().then(
						(list) => list.map(({ name }) => name),
						() => [],
					),
				};
			return credentials.names;
		},
	};
}

/** A value that outlives the page, where the browser lets it. */
export interface Stored<T> {
	get(): T;
	set(value: T): void;
	subscribe(listener: () => void): () => void;
}

/** JSON in the browser's storage; what does not pass the check is not there. */
export function stored<T>(
	key: string,
	fallback: T,
	isValue: (value: unknown) => value is T,
	storage: Storage = localStorage,
): Stored<T> {
	const listeners = new Set<() => void>();
	let value = read();
	addEventListener("storage", (event) => {
		if (event.storageArea !== storage || (event.key !== key && event.key !== null)) return;
		value = read();
		for (const listener of listeners) listener();
	});
	return {
		get: () => value,
		set(next) {
			value = next;
			try {
				if (next === fallback) storage.removeItem(key);
				else storage.setItem(key, JSON.stringify(next));
			} catch {
				// Full or forbidden: it holds until the page is left.
			}
			for (const listener of listeners) listener();
		},
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};

	function read(): T {
		try {
			const text = storage.getItem(key);
			const parsed: unknown = text === null ? fallback : JSON.parse(text);
			return isValue(parsed) ? parsed : fallback;
		} catch {
			return fallback;
		}
	}
}

/** A value in browser storage that survives a reload, if the browser allows it. */
export interface Stored<T> {
	get(): T;
	set(value: T): void;
	subscribe(listener: () => void): () => void;
}

/** Stores JSON in browser storage. A stored value that fails the check is replaced by the fallback. */
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
				// Storage is full or blocked: the value lasts until the page is closed.
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

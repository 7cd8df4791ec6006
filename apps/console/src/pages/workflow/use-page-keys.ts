import { useEffect, useRef } from "react";

interface Keys {
	onSave(): void;
	onRun(): void;
}

/** Shortcuts for saving and running anywhere on the page. A key with a prevented default has already been handled. */
export function usePageKeys(keys: Keys): void {
	const latest = useRef(keys);
	latest.current = keys;
	useEffect(() => {
		const handleKeyDown = (event: KeyboardEvent) => {
			if (
				event.defaultPrevented ||
				!(event.ctrlKey || event.metaKey) ||
				document.querySelector("dialog[open]")
			)
				return;
			if (event.key === "s") latest.current.onSave();
			else if (event.key === "Enter") latest.current.onRun();
			else return;
			event.preventDefault();
		};
		addEventListener("keydown", handleKeyDown);
		return () => removeEventListener("keydown", handleKeyDown);
	}, []);
}

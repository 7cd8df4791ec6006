import { useEffect, useRef } from "react";

interface Keys {
	onSave(): void;
	onRun(): void;
}

/** Save and run from anywhere on the page; whoever has handled the key already has prevented its default. */
export function usePageKeys(keys: Keys): void {
	const latest = useRef(keys);
	latest.current = keys;
	useEffect(() => {
		const pressed = (event: KeyboardEvent) => {
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
		addEventListener("keydown", pressed);
		return () => removeEventListener("keydown", pressed);
	}, []);
}

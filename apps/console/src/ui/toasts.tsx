import { useSyncExternalStore } from "react";
import { Icon } from "./icon.tsx";

interface Toast {
	readonly id: number;
	readonly text: string;
}

const SHOWN_MS = 4000;
const listeners = new Set<() => void>();
let toasts: readonly Toast[] = [];
let count = 0;

function setToasts(next: readonly Toast[]): void {
	toasts = next;
	for (const listener of listeners) listener();
}

/** Shows a short confirmation message. */
export function toast(text: string): void {
	const id = ++count;
	setToasts([...toasts, { id, text }]);
	setTimeout(() => setToasts(toasts.filter((each) => each.id !== id)), SHOWN_MS);
}

export function Toasts() {
	const shown = useSyncExternalStore(
		(listener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		() => toasts,
	);
	return (
		<div className="toasts" role="status" aria-live="polite">
			{shown.map(({ id, text }) => (
				<p key={id} className="toast">
					<Icon name="check" />
					{text}
				</p>
			))}
		</div>
	);
}

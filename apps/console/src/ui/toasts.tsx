import { useSyncExternalStore } from "react";
import { Icon } from "./icon.tsx";

interface Toast {
	readonly id: number;
	readonly text: string;
	readonly options: ToastOptions;
}

interface ToastOptions {
	/** A button; its label is a verb. */
	readonly action?: { readonly label: string; run(): void };
	readonly isProblem?: boolean;
}

const SHOWN_MS = 4000;
/** Long enough to reach a button by keyboard, or to read why something failed. */
const SHOWN_LONG_MS = 15_000;
const listeners = new Set<() => void>();
let toasts: readonly Toast[] = [];
let count = 0;

function setToasts(next: readonly Toast[]): void {
	toasts = next;
	for (const listener of listeners) listener();
}

/** Shows a short message, such as a confirmation with a button that undoes the action. */
export function toast(text: string, options: ToastOptions = {}): void {
	const id = ++count;
	const isShort = options.action === undefined && options.isProblem !== true;
	setToasts([...toasts, { id, text, options }]);
	setTimeout(() => dismiss(id), isShort ? SHOWN_MS : SHOWN_LONG_MS);
}

const dismiss = (id: number): void => setToasts(toasts.filter((each) => each.id !== id));

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
			{shown.map(({ id, text, options: { action, isProblem } }) => (
				<div key={id} className="toast">
					<Icon name={isProblem ? "alert" : "check"} />
					<p>{text}</p>
					{action !== undefined && (
						<button
							type="button"
							onClick={() => {
								dismiss(id);
								action.run();
							}}
						>
							{action.label}
						</button>
					)}
				</div>
			))}
		</div>
	);
}

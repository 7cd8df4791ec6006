import type { KeyboardEvent, ReactNode } from "react";
import { useEffect, useId, useRef } from "react";

interface Tab<Id extends string> {
	readonly id: Id;
	readonly label: ReactNode;
}

interface Props<Id extends string> {
	readonly label: string;
	readonly tabs: readonly Tab<Id>[];
	readonly chosen: Id;
	onChoose(id: Id): void;
	readonly children: ReactNode;
}

/** The left and right arrow keys move between tabs, as in the ARIA tabs pattern. */
export function Tabs<Id extends string>({ label, tabs, chosen, onChoose, children }: Props<Id>) {
	const base = useId();
	const list = useRef<HTMLDivElement>(null);
	// Scrolls only the tab list, not the page, to show the selected tab.
	// biome-ignore lint/correctness/useExhaustiveDependencies: runs when another tab is selected.
	useEffect(() => {
		const tab = list.current?.querySelector<HTMLElement>('[aria-selected="true"]');
		if (tab) list.current?.scrollTo({ left: tab.offsetLeft - tab.offsetWidth / 2 });
	}, [chosen]);
	return (
		<div className="tabs">
			<div role="tablist" aria-label={label} ref={list} onKeyDown={move}>
				{tabs.map((tab) => (
					<button
						key={tab.id}
						type="button"
						role="tab"
						id={`${base}-${tab.id}`}
						aria-selected={tab.id === chosen}
						aria-controls={`${base}-panel`}
						tabIndex={tab.id === chosen ? 0 : -1}
						onClick={() => onChoose(tab.id)}
					>
						{tab.label}
					</button>
				))}
			</div>
			<div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${chosen}`}>
				{children}
			</div>
		</div>
	);

	function move(event: KeyboardEvent<HTMLDivElement>): void {
		const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
		if (step === 0) return;
		event.preventDefault();
		const at = tabs.findIndex(({ id }) => id === chosen);
		const next = tabs[(at + step + tabs.length) % tabs.length];
		if (next === undefined) return;
		onChoose(next.id);
		document.getElementById(`${base}-${next.id}`)?.focus();
	}
}

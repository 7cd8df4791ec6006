import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { api } from "../../api/api.ts";
import { useQuery } from "../../api/use-query.ts";
import { useTexts } from "../../texts/texts.ts";
import { Icon } from "../../ui/icon.tsx";
import { listCandidates } from "./candidates.ts";
import { GRAPH } from "./texts.ts";

const PAUSE_MS = 150;

/** Searches for a node by its name or by a fact about it. */
export function NodeSearch({
	onPick,
	hasFocus = false,
}: {
	onPick(name: string): void;
	readonly hasFocus?: boolean;
}) {
	const text = useTexts(GRAPH);
	const id = useId();
	const [typed, setTyped] = useState("");
	const [asked, setAsked] = useState("");
	const [isOpen, setOpen] = useState(false);
	const [at, setAt] = useState(-1);
	useEffect(() => {
		const timer = setTimeout(() => setAsked(typed.trim()), PAUSE_MS);
		return () => clearTimeout(timer);
	}, [typed]);
	const found = useQuery(asked === "" ? null : `nodes ${asked}`, (signal) =>
		api.graph.search(asked, { limit: 40 }, signal),
	);
	const candidates = found.data === undefined ? [] : listCandidates(found.data.triplets, asked).slice(0, 12);
	const isShown = isOpen && asked !== "" && (found.data !== undefined || found.problem !== null);
	return (
		<search className="search-box node-search">
			<Icon name="search" />
			<input
				type="search"
				role="combobox"
				aria-label={text.find}
				aria-expanded={isShown}
				aria-controls={`${id}-list`}
				aria-autocomplete="list"
				aria-activedescendant={isShown && at >= 0 ? `${id}-${at}` : undefined}
				placeholder={text.findHint}
				autoComplete="off"
				spellCheck={false}
				maxLength={512}
				// biome-ignore lint/a11y/noAutofocus: used only where searching is the only action.
				autoFocus={hasFocus}
				value={typed}
				onChange={(event) => {
					setTyped(event.currentTarget.value);
					setOpen(true);
					setAt(-1);
				}}
				onFocus={() => setOpen(true)}
				onBlur={() => setOpen(false)}
				onKeyDown={handleKeyDown}
			/>
			<div id={`${id}-list`} role="listbox" aria-label={text.nodesFound} hidden={!isShown}>
				{candidates.map(({ key, name, fact }, index) => (
					// biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input (aria-activedescendant).
					// biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys.
					<div
						key={key}
						id={`${id}-${index}`}
						role="option"
						aria-selected={index === at}
						onPointerDown={(event) => event.preventDefault()}
						onClick={() => pick(name)}
					>
						<span>{name}</span>
						<span className="soft">{fact}</span>
					</div>
				))}
				{candidates.length === 0 && (
					// biome-ignore lint/a11y/useFocusableInteractive: it cannot be selected.
					<div role="option" aria-selected={false} aria-disabled className="soft">
						{found.problem?.message ?? text.nothingFound}
					</div>
				)}
			</div>
		</search>
	);

	function pick(name: string): void {
		setTyped("");
		setAsked("");
		setOpen(false);
		setAt(-1);
		onPick(name);
	}

	function handleKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
		if (event.nativeEvent.isComposing) return;
		const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
		if (step !== 0 && candidates.length > 0) {
			event.preventDefault();
			setOpen(true);
			setAt((at + step + candidates.length + (at < 0 && step < 0 ? 1 : 0)) % candidates.length);
		} else if (event.key === "Enter" && typed.trim() !== "") {
			event.preventDefault();
			pick(candidates[at]?.name ?? (isShown ? candidates[0]?.name : undefined) ?? typed.trim());
		} else if (event.key === "Escape" && isShown) {
			event.preventDefault();
			setOpen(false);
		}
	}
}

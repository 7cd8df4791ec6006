import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useTexts } from "../texts/texts.ts";
import { Icon } from "../ui/icon.tsx";
import { type Group, type Item, toEntryItem, usePaletteGroups } from "./palette-items.ts";
import { useKnowledge } from "./palette-knowledge.ts";
import { PaletteOption } from "./palette-option.tsx";
import { PALETTE } from "./palette-texts.ts";

interface Props {
	onClose(): void;
	onShortcuts(): void;
}

/** A combobox: the input keeps the focus while the arrow keys move through the list. */
export default function Palette({ onClose, onShortcuts }: Props) {
	const text = useTexts(PALETTE);
	const base = useId();
	const dialog = useRef<HTMLDialogElement>(null);
	const list = useRef<HTMLDivElement>(null);
	const [query, setQuery] = useState("");
	const [at, setAt] = useState(0);
	const known = usePaletteGroups(query.trim(), onShortcuts);
	const { found, isLooking } = useKnowledge(query);
	const entries: Group[] =
		found.length === 0
			? []
			: [{ title: text.knowledge, items: found.map((each) => ({ ...toEntryItem(each), marks: [] })) }];
	const groups = [...known, ...entries];
	const items = groups.flatMap((group) => group.items);
	const chosen = Math.min(at, items.length - 1);

	useEffect(() => {
		const element = dialog.current;
		element?.showModal();
		return () => element?.close();
	}, []);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the selected option must be in view.
	useEffect(() => {
		list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
	}, [chosen, query]);

	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog as well.
		<dialog
			ref={dialog}
			className="palette"
			aria-label={text.title}
			// The dialog must close before it is removed, or the browser does not restore the focus.
			onClose={onClose}
			onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}
		>
			<div className="palette-field">
				<Icon name="search" />
				<input
					type="text"
					role="combobox"
					aria-label={text.title}
					aria-expanded={items.length > 0}
					aria-controls={`${base}-list`}
					aria-autocomplete="list"
					aria-activedescendant={items.length > 0 ? `${base}-${chosen}` : undefined}
					autoComplete="off"
					spellCheck={false}
					placeholder={text.placeholder}
					value={query}
					onChange={(event) => {
						setQuery(event.target.value);
						setAt(0);
					}}
					onKeyDown={handleKeyDown}
				/>
			</div>
			<div ref={list} id={`${base}-list`} role="listbox" aria-label={text.results} className="palette-list">
				{groups.map((group, index) => (
					// biome-ignore lint/a11y/useSemanticElements: groups of a list box, not of a form.
					<div key={group.title} role="group" aria-labelledby={`${base}-group-${index}`}>
						<p id={`${base}-group-${index}`} className="palette-group" role="presentation">
							{group.title}
						</p>
						{group.items.map((item) => {
							const nth = items.indexOf(item);
							return (
								<PaletteOption
									key={item.id}
									id={`${base}-${nth}`}
									item={item}
									isChosen={nth === chosen}
									onPoint={() => setAt(nth)}
									onChoose={() => choose(item)}
								/>
							);
						})}
					</div>
				))}
			</div>
			{items.length === 0 && !isLooking && <p className="palette-none soft">{text.noResults}</p>}
			<footer className="palette-foot soft">
				<span>
					<kbd>↑</kbd> <kbd>↓</kbd> {text.select}
				</span>
				<span>
					<kbd>Enter</kbd> {text.open}
				</span>
				<span>
					<kbd>Esc</kbd> {text.close}
				</span>
				<span className="palette-said" role="status">
					{isLooking ? text.searching : query !== "" && text.resultCount(items.length)}
				</span>
			</footer>
		</dialog>
	);

	function choose(item: Item): void {
		dialog.current?.close();
		item.act();
	}

	function handleKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
		// Enter that ends an input method composition selects nothing.
		if (event.nativeEvent.isComposing) return;
		const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
		const item = items[chosen];
		if (step !== 0 && items.length > 0) setAt((chosen + step + items.length) % items.length);
		else if (event.key === "Enter" && item !== undefined) choose(item);
		else return;
		event.preventDefault();
	}
}

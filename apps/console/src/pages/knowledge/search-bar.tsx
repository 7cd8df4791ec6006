import type { KeyboardEvent } from "react";
import type { Overview } from "../../api/types.ts";
import { useTexts } from "../../texts/texts.ts";
import { Icon } from "../../ui/icon.tsx";
import { focusFirstRow } from "./rows.ts";
import { KNOWLEDGE } from "./texts.ts";

interface Props {
	readonly words: string;
	readonly type: string;
	readonly overview: Overview | undefined;
	onWords(words: string): void;
	onType(type: string): void;
}

export function SearchBar({ words, type, overview, onWords, onType }: Props) {
	const text = useTexts(KNOWLEDGE);
	const triplets = overview?.counts.triplets;
	const types = [
		...(overview?.entry_types ?? []),
		...(triplets !== undefined && triplets.count > 0 ? [{ entry_type: "triplet", ...triplets }] : []),
	];
	return (
		<search className="knowledge-search">
			<div className="search-box">
				<Icon name="search" />
				<input
					type="search"
					value={words}
					maxLength={1000}
					aria-label={text.search}
					placeholder={text.searchHint}
					autoComplete="off"
					spellCheck={false}
					onChange={(event) => onWords(event.currentTarget.value)}
					onKeyDown={moveToList}
				/>
			</div>
			<select value={type} aria-label={text.type} onChange={(event) => onType(event.currentTarget.value)}>
				<option value="">{text.allTypes}</option>
				{type !== "" && !types.some(({ entry_type }) => entry_type === type) && (
					<option value={type}>{type}</option>
				)}
				{types.map(({ entry_type, count, more }) => (
					<option key={entry_type} value={entry_type}>
						{text.typeCount(entry_type, count, more)}
					</option>
				))}
			</select>
		</search>
	);

	function moveToList(event: KeyboardEvent<HTMLInputElement>): void {
		if (event.key !== "ArrowDown" || event.nativeEvent.isComposing) return;
		event.preventDefault();
		focusFirstRow();
	}
}

import { useTexts } from "../../../texts/texts.ts";
import { Icon } from "../../../ui/icon.tsx";
import type { View } from "../../../values/kept-value.tsx";
import { RUN_DATA } from "./texts.ts";

interface Props {
	readonly view: View;
	onView(view: View): void;
	readonly query: string;
	onQuery(query: string): void;
}

/** Searches in the values, and chooses how they are shown. */
export function ViewBar({ view, onView, query, onQuery }: Props) {
	const text = useTexts(RUN_DATA);
	return (
		<div className="view-bar">
			<div className="search-box">
				<Icon name="search" />
				<input
					type="search"
					aria-label={text.search}
					placeholder={text.search}
					maxLength={200}
					value={query}
					onChange={(event) => onQuery(event.target.value)}
				/>
			</div>
			<fieldset className="segments">
				<legend className="hidden-text">{text.view}</legend>
				{(["tree", "raw"] as const).map((id) => (
					<button key={id} type="button" aria-pressed={view === id} onClick={() => onView(id)}>
						{text[id]}
					</button>
				))}
			</fieldset>
		</div>
	);
}

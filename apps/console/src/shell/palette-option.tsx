import { Icon } from "../ui/icon.tsx";
import type { Group } from "./palette-items.ts";
import type { Mark } from "./palette-match.ts";

interface Props {
	readonly id: string;
	readonly item: Group["items"][number];
	readonly isChosen: boolean;
	onPoint(): void;
	onChoose(): void;
}

export function PaletteOption({ id, item, isChosen, onPoint, onChoose }: Props) {
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: the input has the focus and handles the keys.
		<div
			id={id}
			role="option"
			tabIndex={-1}
			aria-selected={isChosen}
			className="palette-option"
			onPointerMove={() => !isChosen && onPoint()}
			onClick={onChoose}
		>
			<Icon name={item.icon} />
			<span className="palette-title">
				<Marked text={item.title} marks={item.marks} />
			</span>
			{item.detail !== undefined && <span className="palette-detail soft">{item.detail}</span>}
		</div>
	);
}

function Marked({ text, marks }: { readonly text: string; readonly marks: readonly Mark[] }) {
	let from = 0;
	return (
		<>
			{marks.map(([start, end]) => {
				const before = text.slice(from, start);
				from = end;
				return (
					<span key={start}>
						{before}
						<mark>{text.slice(start, end)}</mark>
					</span>
				);
			})}
			{text.slice(from)}
		</>
	);
}

import type { MouseEvent, ReactNode } from "react";
import { useTexts } from "../texts/texts.ts";
import { Button } from "./button.tsx";
import { COMMON } from "./common-texts.ts";
import { Empty } from "./empty.tsx";

interface Props {
	readonly title: string;
	/** What else could be looked for. */
	readonly children?: ReactNode;
	/** Takes away all that the list is filtered by. */
	onShowAll(): void;
}

/** In the place of a list that a filter leaves nothing of. */
export function NothingFound({ title, children, onShowAll }: Props) {
	const text = useTexts(COMMON);
	return (
		<Empty icon="search" title={title} action={<Button onClick={showAll}>{text.showAll}</Button>}>
			{children}
		</Empty>
	);

	/** The button goes with the message: one goes on where words are typed. */
	function showAll(event: MouseEvent<HTMLButtonElement>): void {
		const around = event.currentTarget.closest("dialog, main");
		onShowAll();
		around?.querySelector<HTMLElement>("input[type=search]")?.focus();
	}
}

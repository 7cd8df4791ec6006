import type { MouseEvent, ReactNode } from "react";
import { useTexts } from "../texts/texts.ts";
import { Button } from "./button.tsx";
import { COMMON } from "./common-texts.ts";
import { Empty } from "./empty.tsx";

interface Props {
	readonly title: string;
	/** A hint on what to try instead. */
	readonly children?: ReactNode;
	/** Clears all filters of the list. */
	onShowAll(): void;
}

/** Shown instead of a list when no item matches the filter. */
export function NothingFound({ title, children, onShowAll }: Props) {
	const text = useTexts(COMMON);
	return (
		<Empty icon="search" title={title} action={<Button onClick={showAll}>{text.showAll}</Button>}>
			{children}
		</Empty>
	);

	/** The button disappears with the message, so the focus moves to the search field. */
	function showAll(event: MouseEvent<HTMLButtonElement>): void {
		const around = event.currentTarget.closest("dialog, main");
		onShowAll();
		around?.querySelector<HTMLElement>("input[type=search]")?.focus();
	}
}

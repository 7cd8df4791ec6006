import type { MouseEvent } from "react";
import { useTexts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { focusUnlessHeld, rememberFocus } from "../ui/focus.ts";
import type { PinUse } from "./pin-use.ts";
import type { Pin } from "./pins.ts";
import { PINS } from "./texts.ts";

/** Of an output in the list. */
const MAX_SHOWN_LENGTH = 200;

export interface ListedPin extends Pin {
	readonly use: PinUse;
}

interface Props {
	readonly of: readonly ListedPin[];
	onUnpin(pin: Pin): void;
	onShow(node: string): void;
}

/** The pinned outputs of a draft. */
export function PinList({ of: pins, onUnpin, onShow }: Props) {
	const text = useTexts(PINS);
	if (pins.length === 0) return null;
	return (
		<section className="pins" aria-label={text.title}>
			<h2>{text.title}</h2>
			<p className="soft">
				{text.hint} {text.storageHint}
			</p>
			<ul>
				{pins.map((each) => (
					<li key={each.node}>
						<div>
							<strong>{each.node}</strong> <code>{shorten(each.output)}</code>
							{each.use !== "used" && <p className="pin-ignored">{text.ignored[each.use]}</p>}
						</div>
						<Button isSmall aria-label={text.showNode(each.node)} onClick={() => onShow(each.node)}>
							{text.show}
						</Button>
						<Button
							isSmall
							kind="quiet"
							icon="cross"
							aria-label={text.unpinNode(each.node)}
							title={text.unpin}
							onClick={(event) => remove(event, each)}
						/>
					</li>
				))}
			</ul>
		</section>
	);

	function remove({ currentTarget }: MouseEvent, pin: Pin): void {
		const near = rememberFocus(currentTarget as Element);
		onUnpin(pin);
		focusUnlessHeld(near);
	}
}

function shorten(output: Pin["output"]): string {
	const json = JSON.stringify(output);
	return json.length > MAX_SHOWN_LENGTH ? `${json.slice(0, MAX_SHOWN_LENGTH).toWellFormed()}…` : json;
}

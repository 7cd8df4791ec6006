import type { ReactNode } from "react";
import { Link } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { Card } from "../../ui/card.tsx";
import { Snippet } from "../../ui/copy.tsx";
import { Icon } from "../../ui/icon.tsx";
import { startText } from "../workflows/starts.ts";
import { OVERVIEW } from "./texts.ts";

const FIRST = "greeting";

/** What a fresh service shows in the place of a chart without a bar. */
export function FirstWorkflow() {
	const text = useTexts(OVERVIEW);
	return (
		<Card title={text.firstTitle} className="first-step">
			<p className="soft">{text.firstText}</p>
			<Snippet of={startText(FIRST, "UTC")} label={text.firstExample} />
			<Link to={`/new-workflow?from=${FIRST}`} className="button primary">
				<Icon name="plus" />
				{text.firstAction}
			</Link>
		</Card>
	);
}

/** There are workflows, and none has run. */
export function FirstRun({ children }: { readonly children: ReactNode }) {
	const text = useTexts(OVERVIEW);
	return (
		<div className="stack">
			<Card title={text.notRunTitle} className="first-step">
				<p className="soft">{text.notRunText}</p>
				<Link to="/workflows" className="button primary">
					<Icon name="run" />
					{text.notRunAction}
				</Link>
			</Card>
			{children}
		</div>
	);
}

export function FirstAssistant() {
	const text = useTexts(OVERVIEW);
	return (
		<Card title={text.assistantTitle} className="first-step">
			<p className="soft">{text.assistantText}</p>
			<Link to="/connect" className="button">
				<Icon name="connect" />
				{text.assistantAction}
			</Link>
		</Card>
	);
}

import type { Sender } from "@tripline/contract/calling/sender";
import { buildSenderYaml, findSender, SENDERS } from "@tripline/contract/calling/senders";
import { useState } from "react";
import { useLanguage, useTexts } from "../../../texts/texts.ts";
import { Snippet } from "../../../ui/copy.tsx";
import { Field } from "../../../ui/field.tsx";
import { TRIGGER } from "./trigger-texts.ts";

/** What to set at the service that calls: the one whose signature is required, or one to choose. */
export function Senders({ scheme }: { readonly scheme: string | null }) {
	const text = useTexts(TRIGGER);
	const [chosen, setChosen] = useState("github");
	const set = findSender(scheme);
	if (set !== null)
		return (
			<section>
				<h2>{text.from(set.title)}</h2>
				<Steps of={set} />
			</section>
		);
	const sender = findSender(chosen);
	if (scheme !== null || sender === null) return null;
	return (
		<section>
			<h2>{text.fromOther}</h2>
			<p className="soft">{text.fromOtherText}</p>
			<Field label={text.sender}>
				{(control) => (
					<select {...control} value={chosen} onChange={(event) => setChosen(event.target.value)}>
						{SENDERS.map(({ id, title }) => (
							<option key={id} value={id}>
								{title}
							</option>
						))}
					</select>
				)}
			</Field>
			<p className="soft">{text.addLines}</p>
			<Snippet of={buildSenderYaml(sender)} label={text.from(sender.title)} />
			<p className="soft">{text.thenSteps}</p>
			<Steps of={sender} />
		</section>
	);
}

function Steps({ of: { steps } }: { readonly of: Sender }) {
	const language = useLanguage();
	return (
		<ol className="call-steps">
			{steps[language].map((step) => (
				<li key={step}>{step}</li>
			))}
		</ol>
	);
}

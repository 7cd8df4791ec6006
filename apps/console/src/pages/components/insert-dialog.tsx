import { useState } from "react";
import { api } from "../../api/api.ts";
import type { ComponentDetail } from "../../api/types.ts";
import { useQuery } from "../../api/use-query.ts";
import { navigate } from "../../router.tsx";
import { buildWorkflowPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { COMMON } from "../../ui/common-texts.ts";
import { Snippet } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { renderSettings } from "./parameters.ts";
import { COMPONENTS } from "./texts.ts";

/** Asks for the workflow. The workflow page inserts the node into the text. */
export function InsertDialog({
	component,
	onClose,
}: {
	readonly component: ComponentDetail;
	onClose(): void;
}) {
	const [text, common] = [useTexts(COMPONENTS), useTexts(COMMON)];
	const workflows = useQuery("workflows", api.workflows.list);
	const [chosen, setChosen] = useState("");
	return (
		<Dialog
			title={text.insertTitle(component.title)}
			onClose={onClose}
			actions={
				<>
					<Button onClick={onClose}>{common.cancel}</Button>
					<Button kind="primary" onClick={insert}>
						{text.insert}
					</Button>
				</>
			}
		>
			<p className="soft">{text.insertLead}</p>
			<Field label={text.workflow}>
				{(control) => (
					<select {...control} value={chosen} onChange={(event) => setChosen(event.target.value)}>
						<option value="">{text.newWorkflow}</option>
						{workflows.data?.map(({ name }) => (
							<option key={name}>{name}</option>
						))}
					</select>
				)}
			</Field>
			<Snippet
				of={renderSettings(component.id, component.params).replaceAll(/^ {4}/gm, "")}
				label={text.settings}
			/>
		</Dialog>
	);

	function insert(): void {
		const page = chosen === "" ? "/new-workflow" : buildWorkflowPath(chosen);
		navigate(`${page}?insert=${encodeURIComponent(component.id)}`);
	}
}

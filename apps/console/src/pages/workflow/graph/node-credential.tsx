import { useEffect, useState } from "react";
import { api } from "../../../api/api.ts";
import type { Graph } from "../../../api/types.ts";
import { useQuery } from "../../../api/use-query.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Field } from "../../../ui/field.tsx";
import { Connect } from "../../credentials/connect.tsx";
import { WORKFLOW } from "../texts.ts";

interface Props {
	readonly node: Graph["nodes"][number];
	onChoose(name: string): void;
}

/** The credential of a node whose component takes one. */
export function NodeCredential({ node, onChoose }: Props) {
	const text = useTexts(WORKFLOW);
	const { id, component } = node;
	const detail = useQuery(`component ${component}`, (signal) => api.components.get(component, signal));
	const takes = detail.data?.takes_credentials === true;
	const credentials = useQuery(takes ? "credentials" : null, api.credentials.list);
	/** Until the changed text is checked. */
	const [chosen, setChosen] = useState(node.credential ?? "");
	useEffect(() => setChosen(node.credential ?? ""), [node.credential]);
	if (detail.data === undefined || !takes || credentials.data === undefined) return null;
	const auth = detail.data.auth_recipes;
	const fitting = credentials.data.filter(({ auth_recipe }) => auth?.includes(auth_recipe) ?? true);
	const current = fitting.find(({ name }) => name === chosen);
	return (
		<div className="node-credential">
			<Field label={text.credential}>
				{(control) => (
					<select {...control} value={chosen} onChange={(event) => choose(event.target.value)}>
						{chosen === "" && <option value="">{text.noCredential}</option>}
						{chosen !== "" && current === undefined && (
							<option value={chosen}>{text.missingCredential(chosen)}</option>
						)}
						{fitting.map(({ name }) => (
							<option key={name}>{name}</option>
						))}
					</select>
				)}
			</Field>
			<Connect
				auth={auth}
				label={id}
				credential={current?.sign_in?.state === "required" ? current : undefined}
				onConnected={(name) => {
					credentials.reload();
					choose(name);
				}}
			/>
		</div>
	);

	function choose(name: string): void {
		setChosen(name);
		if (name !== node.credential) onChoose(name);
	}
}

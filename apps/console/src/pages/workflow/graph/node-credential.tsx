import { useEffect, useState } from "react";
import { api } from "../../../api/api.ts";
import type { Graph } from "../../../api/types.ts";
import { useQuery } from "../../../api/use-query.ts";
import { CredentialField } from "../../credentials/credential-field.tsx";

interface Props {
	readonly node: Graph["nodes"][number];
	onChoose(name: string): void;
}

/** The credential of a node whose component takes one. */
export function NodeCredential({ node, onChoose }: Props) {
	const { id, component } = node;
	const detail = useQuery(`component ${component}`, (signal) => api.components.get(component, signal));
	/** Until the changed text is checked. */
	const [chosen, setChosen] = useState(node.credential ?? "");
	useEffect(() => setChosen(node.credential ?? ""), [node.credential]);
	if (detail.data?.takes_credentials !== true) return null;
	return <CredentialField auth={detail.data.auth_recipes} label={id} chosen={chosen} onChoose={choose} />;

	function choose(name: string): void {
		setChosen(name);
		if (name !== node.credential) onChoose(name);
	}
}

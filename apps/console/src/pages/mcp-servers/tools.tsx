import type { McpServer } from "../../api/types.ts";
import { buildComponentPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { ButtonLink } from "../../ui/button-link.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Prose } from "../../ui/prose.tsx";
import { Parameters } from "../components/parameters-table.tsx";
import { MCP_SERVERS } from "./texts.ts";

/** The accepted tools. Each opens to show what it takes. */
export function Tools({ of }: { readonly of: McpServer["tools"] }) {
	const text = useTexts(MCP_SERVERS);
	return (
		<ul className="operations">
			{of.map(({ name, title, description, input_schema, component }) => (
				<li key={name}>
					<details>
						<summary>
							<Icon name="right" />
							<span className="operation-name">
								<span>{title ?? name}</span>
								<code>{name}</code>
							</span>
						</summary>
						<div className="operation-body">
							{description !== "" && <Prose of={description} />}
							<Parameters schema={input_schema} />
							<p className="line">
								<ButtonLink isSmall to={buildComponentPath(component)}>
									{text.showComponent}
								</ButtonLink>
							</p>
						</div>
					</details>
				</li>
			))}
		</ul>
	);
}

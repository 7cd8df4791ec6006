import { EdgeLabelRenderer, type EdgeProps, type EdgeTypes } from "@xyflow/react";
import { memo, useContext } from "react";
import type { Relation } from "../../../api/types.ts";
import { EDGE_STYLES, type EdgeStyle } from "./edge-styles.ts";
import { GraphContext } from "./graph-state.ts";
import { buildCurve, type Point } from "./layout.ts";

export interface EdgeData extends Record<string, unknown> {
	readonly on: Relation;
	readonly label: string;
	readonly points: readonly Point[];
	readonly place: Point;
}

function RelationEdge({ id, data }: EdgeProps) {
	const { taken, hasRun } = useContext(GraphContext);
	const { on, label, points, place } = data as EdgeData;
	const { tone, dash, isThick } = EDGE_STYLES[on];
	const state = hasRun ? (taken.has(id) ? "taken" : "passed-by") : "";
	return (
		<>
			<path
				d={buildCurve(points)}
				className={`graph-edge ${tone} ${state}${isThick ? " thick" : ""}`}
				strokeDasharray={dash}
				markerEnd={`url(#graph-arrow-${tone})`}
			/>
			{label !== "" && (
				<EdgeLabelRenderer>
					<span
						className={`graph-label ${tone} ${state}`}
						style={{ transform: `translate(-50%, -50%) translate(${place.x}px, ${place.y}px)` }}
						title={label}
					>
						{label}
					</span>
				</EdgeLabelRenderer>
			)}
		</>
	);
}

export const EDGE_TYPES: EdgeTypes = { relation: memo(RelationEdge) };

const TONES: readonly EdgeStyle["tone"][] = ["plain", "bad", "violet", "good", "warn", "teal", "accent"];

/** One arrow head per colour, because not all browsers let a marker inherit its line's colour. */
export function ArrowHeads() {
	return (
		<svg className="graph-arrows" width="0" height="0" aria-hidden="true">
			<defs>
				{TONES.map((tone) => (
					<marker
						key={tone}
						id={`graph-arrow-${tone}`}
						viewBox="0 0 10 10"
						refX="9"
						refY="5"
						markerWidth="9"
						markerHeight="9"
						markerUnits="userSpaceOnUse"
						orient="auto"
					>
						<path d="M1 1 9 5 1 9z" className={`graph-arrow ${tone}`} />
					</marker>
				))}
			</defs>
		</svg>
	);
}

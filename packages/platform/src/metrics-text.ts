import type { Family, Labels } from "./metrics.ts";

export type MetricsFormat = "prometheus" | "openmetrics";

export const METRICS_TYPES: Readonly<Record<MetricsFormat, string>> = {
	prometheus: "text/plain; version=0.0.4; charset=utf-8",
	openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
};

const MAX_ACCEPT_RANGES = 20;

/** OpenMetrics only if the caller names it, and likes it at least as much as plain text. */
export function chooseMetricsFormat(accept: string | null): MetricsFormat {
	const ranges = (accept ?? "").toLowerCase().split(",", MAX_ACCEPT_RANGES).map(parseRange);
	const best = (type: string) =>
		Math.max(0, ...ranges.filter((range) => range.type === type).map(({ quality }) => quality));
	const quality = best("application/openmetrics-text");
	return quality > 0 && quality >= best("text/plain") ? "openmetrics" : "prometheus";
}

function parseRange(text: string): { readonly type: string; readonly quality: number } {
	const [type = "", ...parameters] = text.split(";").map((part) => part.trim());
	const quality = parameters.find((part) => part.startsWith("q="));
	return { type, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
}

export function renderMetrics(families: readonly Family[], format: MetricsFormat): string {
	const isOpen = format === "openmetrics";
	const blocks = families.map(({ name, type, help, samples }) => {
		// The older format names a counter with its suffix, and knows no info.
		const shown = isOpen ? name : name + (type === "counter" ? "_total" : type === "info" ? "_info" : "");
		const shownType = !isOpen && type === "info" ? "gauge" : type;
		const lines = samples.map(
			([suffix, labels, value]) => `${name}${suffix}${renderLabels(labels)} ${renderValue(value)}\n`,
		);
		return `# HELP ${shown} ${escapeHelp(help)}\n# TYPE ${shown} ${shownType}\n${lines.join("")}`;
	});
	return blocks.join("") + (isOpen ? "# EOF\n" : "");
}

/** Puts together what several processes have collected, each with labels that tell it from the others. */
export function mergeFamilies(
	collected: readonly { readonly labels: Labels; readonly families: readonly Family[] }[],
): Family[] {
	const merged = new Map<string, Family>();
	for (const { labels: common, families } of collected) {
		for (const family of families) {
			const before = merged.get(family.name)?.samples ?? [];
			const own = family.samples.map(
				([suffix, labels, value]) => [suffix, { ...labels, ...common }, value] as const,
			);
			merged.set(family.name, { ...family, samples: [...before, ...own] });
		}
	}
	return [...merged.values()];
}

function renderLabels(labels: Labels): string {
	const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
	return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function renderValue(value: number): string {
	if (Number.isFinite(value)) return String(value);
	return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}

const escapeHelp = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");

const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"');

/** Stroke-only paths on a 16 by 16 grid, drawn in the text colour. */
const PATHS = {
	overview: "M2 9.5h3l2-6 3 9 1.8-4.5H14",
	workflow:
		"M3.5 5.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm9 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM3.5 5.5v4a3 3 0 0 0 3 3h4",
	run: "M5 3.2v9.6a.4.4 0 0 0 .6.35l7.6-4.8a.4.4 0 0 0 0-.7L5.6 2.85A.4.4 0 0 0 5 3.2Z",
	executions: "M2 3.5h2m2.5 0H14M2 8h2m2.5 0H14M2 12.5h2m2.5 0H14",
	inbox: "M2 9h3.2a2.8 2.8 0 0 0 5.6 0H14M2 9v4.5h12V9l-2.2-6.5H4.2z",
	knowledge:
		"M8 3.8C6.6 2.7 4.6 2.3 2 2.3v10.5c2.6 0 4.6.4 6 1.5 1.4-1.1 3.4-1.5 6-1.5V2.3c-2.6 0-4.6.4-6 1.5Zm0 0v10.5",
	graph:
		"M4 12.2 7.2 5m1.7 0 3.2 7.2M4.8 13h6.4M8 5.2a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6ZM3.1 14.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Zm9.8 0a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Z",
	components: "M2.5 2.5h4.2v4.2H2.5zm6.8 0h4.2v4.2H9.3zM2.5 9.3h4.2v4.2H2.5zm6.8 2.1h4.2m-2.1-2.1v4.2",
	credential: "M9.8 9.6a3.9 3.9 0 1 0-3.4-3.4L1.8 10.8v3.4h3.4v-2h2v-2Zm1.2-4.5v-.1",
	connect:
		"M6.2 9.8 9.8 6.2M7 4.2l1.6-1.6a3.4 3.4 0 0 1 4.8 4.8L11.8 9M9 11.8l-1.6 1.6a3.4 3.4 0 0 1-4.8-4.8L4.2 7",
	settings:
		"M2 4.5h6m4 0h2M2 11.5h2m4 0h6M10 6.3a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Zm-4 7a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Z",
	search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14",
	plus: "M8 2.5v11M2.5 8h11",
	minus: "M2.5 8h11",
	pause: "M5 3v10m6-10v10",
	check: "m3 8.5 3.25 3.25L13 5",
	cross: "m3.5 3.5 9 9m0-9-9 9",
	copy: "M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8z",
	alert:
		"M8 6v3.2M8 11.6v.1M7 2.4 1.6 12a1.2 1.2 0 0 0 1 1.8h10.8a1.2 1.2 0 0 0 1-1.8L9 2.4a1.15 1.15 0 0 0-2 0Z",
	info: "M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13Zm0-7v3.25M8 5v.1",
	clock: "M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM8 4.5V8l2.4 1.6",
	trash: "M2.5 4.2h11M6 4V2.2h4V4m2.3.2-.6 9.1H4.3l-.6-9.1M6.6 7v3.7m2.8-3.7v3.7",
	edit: "M10.3 3.2 2.5 11v2.5H5l7.8-7.8zM9 4.5 11.5 7",
	right: "m6 3.5 4.5 4.5L6 12.5",
	left: "M10 3.5 5.5 8l4.5 4.5",
	down: "m3.5 6 4.5 4.5L12.5 6",
	menu: "M2 4h12M2 8h12M2 12h12",
	reload: "M13.5 8a5.5 5.5 0 1 1-1.7-4M13.5 1.8v3h-3",
	external: "M6.5 3H3v10h10V9.5M9 2.5h4.5V7m0-4.5L7.5 8.5",
	out: "M6 2.5H2.5v11H6M10.5 11 13.5 8l-3-3M13 8H6",
	download: "M8 2v8.5m0 0L4.5 7M8 10.5 11.5 7M2.5 13.5h11",
	upload: "M8 10.5V2m0 0L4.5 5.5M8 2l3.5 3.5M2.5 13.5h11",
	file: "M4 1.8h5L12.5 5v9.2H4zM9 1.8V5h3.5",
	eye: "M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8Zm6.5 1.9a1.9 1.9 0 1 0 0-3.8 1.9 1.9 0 0 0 0 3.8Z",
	pin: "M5.5 1.8h5M6.3 1.8v4.4L4 9.2h8L9.7 6.2V1.8M8 9.2v5",
	fit: "M2.5 6V2.5H6m4 0h3.5V6m0 4v3.5H10m-4 0H2.5V10",
	star: "m8 1.8 1.9 3.9 4.3.6-3.1 3 .7 4.3L8 11.6l-3.8 2 .7-4.3-3.1-3 4.3-.6z",
	sun: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1v1.5m0 11V15M1 8h1.5m11 0H15M3 3l1.1 1.1m7.8 7.8L13 13M3 13l1.1-1.1m7.8-7.8L13 3",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
	return (
		<svg className="icon" viewBox="0 0 16 16" width={size} height={size} aria-hidden="true">
			<path d={PATHS[name]} />
		</svg>
	);
}

export const STYLE = `
:root {
	color-scheme: light dark;
	--paper: #fcfcfa; --panel: #f4f4f0; --line: #e2e2db; --ink: #20242c; --soft: #5a6170; --accent: #1f5fa8;
	--type: #6a4a9c; --need: #a13f22;
	--get: #1f5fa8; --post: #22703f; --put: #8a5a00; --patch: #6a4a9c; --delete: #a8322f;
	--sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
	--mono: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
	:root {
		--paper: #15181d; --panel: #1c2027; --line: #2e343d; --ink: #e3e6ea; --soft: #9ba4b1; --accent: #82b6f2;
		--type: #c3aaf0; --need: #f0a384;
		--get: #82b6f2; --post: #7fcf9b; --put: #e2b866; --patch: #c3aaf0; --delete: #f2938f;
	}
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
body {
	display: grid; grid-template-columns: 18rem minmax(0, 1fr); margin: 0;
	background: var(--paper); color: var(--ink); font: 1rem/1.6 var(--sans);
}
main { width: 100%; max-width: 60rem; padding: 3rem clamp(1.25rem, 5vw, 4rem) 8rem; }
main:focus { outline: none; }
h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; }
h1 { margin: 0 0 .25rem; font-size: 2rem; letter-spacing: -.02em; }
h2 { margin: 4rem 0 0; font-size: 1.45rem; letter-spacing: -.01em; }
h3 { margin: 0 0 .6rem; font-size: 1.15rem; }
h4 { margin: 1.75rem 0 .5rem; color: var(--soft); font-size: .85rem; font-weight: 600; }
p { margin: 0 0 .75rem; max-width: 44rem; }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: 1px; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
code, pre, .method, .type { font-family: var(--mono); font-size: .875em; overflow-wrap: anywhere; }
ul { margin: 0; padding: 0; list-style: none; }
.skip {
	position: fixed; top: .5rem; left: .5rem; z-index: 2; padding: .5rem 1rem; background: var(--paper);
}
.skip:not(:focus) { clip-path: inset(50%); }
.meta { color: var(--soft); font-size: .875rem; }
.type { color: var(--type); }
.required, .optional { font-size: .8rem; font-weight: 500; color: var(--need); }
.optional { color: var(--soft); }

nav {
	position: sticky; top: 0; height: 100vh; height: 100dvh; overflow-y: auto; z-index: 1;
	padding: 2.5rem .75rem 3rem 1.25rem; border: 0 solid var(--line); border-right-width: 1px;
	background: var(--panel);
}
nav div + div { margin-top: 1.5rem; }
nav a { color: var(--ink); text-decoration: none; }
nav .tag { display: block; padding: .25rem .5rem; font-size: .875rem; font-weight: 650; }
nav li a {
	display: flex; gap: .6rem; padding: .28rem .5rem; border-radius: 5px; font: .8rem/1.45 var(--mono);
}
nav a:hover { background: color-mix(in srgb, var(--accent) 11%, transparent); }
nav li span:last-child { overflow-wrap: anywhere; }
nav .method {
	flex: none; width: 3.4rem; padding: 0; background: none; font-size: .7rem; line-height: 1.65;
}

.method {
	padding: .15rem .5rem; border-radius: 5px; color: var(--hue, var(--soft)); font-weight: 650;
	background: color-mix(in srgb, var(--hue, var(--soft)) 12%, transparent);
}
.get { --hue: var(--get); } .post { --hue: var(--post); } .put { --hue: var(--put); }
.patch { --hue: var(--patch); } .delete { --hue: var(--delete); }
i { color: var(--soft); font-style: normal; }

article { padding: 2.25rem 0; border-bottom: 1px solid var(--line); }
article:last-child { border-bottom: 0; }
article:target h3 a { text-decoration: underline 2px var(--accent); }
.call { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem .75rem; max-width: none; }
.call code { font-size: .95rem; }
.access { margin-left: auto; color: var(--soft); font-size: .875rem; }

table { width: 100%; border-collapse: collapse; font-size: .925rem; }
th, td {
	padding: .5rem 1rem .5rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top;
}
thead th { border: 0; padding-block: 0 .3rem; color: var(--soft); font-size: .8rem; font-weight: 500; }
tbody th { font-weight: 600; }
th:last-child, td:last-child { width: 48%; padding-right: 0; }
td:nth-child(2), td:nth-child(4) { color: var(--soft); }
td p, li p { margin: 0; }

details, .bare { border: 1px solid var(--line); border-radius: 7px; margin: 0; max-width: none; }
details + details, details + .bare, .bare + details, .bare + .bare { margin-top: .4rem; }
summary, .bare { padding: .5rem .85rem; }
summary {
	display: flex; align-items: baseline; gap: .75rem; cursor: pointer; border-radius: 7px; list-style: none;
}
summary::-webkit-details-marker { display: none; }
summary::before {
	content: ""; flex: none; width: .4rem; height: .4rem; translate: 0 -.1rem; rotate: -45deg;
	border: solid var(--soft); border-width: 0 1.5px 1.5px 0; transition: rotate .12s;
}
[open] > summary::before { rotate: 45deg; translate: 0 -.2rem; }
summary:hover { background: var(--panel); }
summary .meta { margin-left: auto; }
details > div { padding: .25rem .85rem .85rem; font-size: .925rem; }
.status { margin-right: .35rem; font: 650 .875rem var(--mono); color: var(--soft); }
.s2 { color: var(--post); } .s3 { color: var(--get); }
.s4 { color: var(--put); } .s5 { color: var(--delete); }
details li {
	display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); column-gap: 1.25rem; padding: .4rem 0;
}
details li + li { border-top: 1px solid color-mix(in srgb, var(--line) 65%, transparent); }
details li > div { grid-row: 1 / span 2; }
details li > div > code { margin-right: .25rem; font-weight: 600; }
details li > p { grid-column: 2; }
details li > ul {
	grid-column: 1 / -1; margin: .4rem 0 0; padding-left: 1rem; border-left: 2px solid var(--line);
}

pre {
	margin: 0; padding: .9rem 1rem; border-radius: 7px; background: var(--panel); line-height: 1.55;
	white-space: pre-wrap; user-select: all; -webkit-user-select: all;
}
pre code { font-size: .85rem; }

@media (max-width: 50rem) {
	html { scroll-padding-top: 4rem; }
	body { display: block; }
	main { padding-top: 1.75rem; }
	nav { display: flex; height: auto; overflow: auto hidden; padding: .5rem .75rem; border-width: 0 0 1px; }
	nav div + div { margin: 0; }
	nav ul { display: none; }
	nav .tag { padding: .5rem .65rem; white-space: nowrap; }
	.access { margin: 0; flex-basis: 100%; }
	thead { position: absolute; clip-path: inset(50%); }
	table, tbody { display: block; }
	tbody tr {
		display: flex; flex-wrap: wrap; gap: 0 .75rem; padding: .55rem 0; border-top: 1px solid var(--line);
	}
	tbody th, tbody td { padding: 0; border: 0; }
	tbody td:last-child { flex-basis: 100%; }
	summary { flex-wrap: wrap; row-gap: 0; }
	details li { display: block; }
}
@media (prefers-reduced-motion: reduce) {
	summary::before { transition: none; }
}
@media print {
	nav, .skip { display: none; }
	body { display: block; }
}
`;

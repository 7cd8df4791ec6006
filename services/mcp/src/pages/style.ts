export const STYLE = `
:root {
	color-scheme: light dark;
	--back: #f1f1ec; --card: #fdfdfb; --line: #deded6; --edge: #85857c; --ink: #20242c; --soft: #585f6d;
	--accent: #1f5fa8; --hover: #184c88; --on-accent: #fff; --good: #22703f; --bad: #a8322f; --shade: 30 35 45;
	--sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
	--mono: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
	:root {
		--back: #111317; --card: #1a1d23; --line: #2f353e; --edge: #76808e; --ink: #e6e8ec; --soft: #a0a8b5;
		--accent: #82b6f2; --hover: #a3caf6; --on-accent: #0d1a2a; --good: #7fcf9b; --bad: #f5a09c; --shade: 0 0 0;
	}
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
	display: flex; flex-direction: column; align-items: center; gap: 1.5rem; min-height: 100vh; min-height: 100dvh;
	margin: 0; padding: clamp(1.25rem, 5vh, 4rem) 1.25rem; background: var(--back); color: var(--ink);
	font: 1rem/1.55 var(--sans); overflow-wrap: anywhere;
}
header {
	display: flex; align-items: center; gap: .6rem; font-size: 1.1rem; font-weight: 650; letter-spacing: -.01em;
}
header svg { color: var(--accent); }
main {
	width: 100%; max-width: 29rem; padding: clamp(1.5rem, 6vw, 2.5rem); background: var(--card);
	border: 1px solid var(--line); border-radius: 16px;
	box-shadow: 0 1px 2px rgb(var(--shade) / .05), 0 12px 40px -12px rgb(var(--shade) / .18);
}
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.02em; text-wrap: balance; }
h1 bdi { color: var(--accent); }
h2 { margin: 1.4rem 0 .5rem; font-size: .95rem; font-weight: 600; line-height: 1.4; }
p { margin: .75rem 0 0; }
main > :first-child { margin-top: 0; }
code { font: .875em/1.5 var(--mono); }
.soft { color: var(--soft); font-size: .9rem; }
.icon { flex: none; width: 1.1rem; height: 1.1rem; margin-top: .2rem; }
.good { color: var(--good); }
.line { display: flex; gap: .55rem; }

dl { margin: 1.5rem 0 0; border: 1px solid var(--line); border-radius: 10px; }
dl div { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .6rem .9rem; }
dl div + div { border-top: 1px solid var(--line); }
dt { flex: 0 0 8.5rem; color: var(--soft); font-size: .9rem; line-height: 1.7; }
dd { flex: 1 1 9rem; margin: 0; font-weight: 550; }
dd .soft { font-weight: 400; }
ul { display: grid; gap: .35rem; margin: 0; padding: 0; list-style: none; }

form { margin-top: 1.5rem; padding-top: 1.4rem; border-top: 1px solid var(--line); }
label { display: block; font-weight: 600; }
input, button { width: 100%; min-height: 2.9rem; border-radius: 10px; font: inherit; }
input {
	margin-top: .4rem; padding: .5rem .9rem; border: 1px solid var(--edge); background: var(--card);
	color: var(--ink);
}
[aria-invalid] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad); }
.problem { margin-top: .5rem; color: var(--bad); font-weight: 550; }
button {
	margin-top: 1.25rem; padding: .5rem 1.5rem; border: 1px solid transparent; background: var(--accent);
	color: var(--on-accent); font-weight: 650; cursor: pointer; transition: background-color .12s;
}
button:hover { background: var(--hover); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
input:focus-visible { outline-offset: 0; }
details { margin-top: .75rem; color: var(--soft); font-size: .9rem; }
summary {
	width: fit-content; border-radius: 4px; cursor: pointer; text-decoration: underline dotted;
	text-underline-offset: .25em;
}
summary:hover { color: var(--ink); }
details code { color: var(--ink); }
.hint { margin-top: 1.25rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: 10px; }
.out { margin-top: 1rem; text-align: center; }

@media (min-width: 30.01rem) { html { scrollbar-gutter: stable both-edges; } }
@media (max-width: 30rem) {
	body { gap: 1rem; padding: 1.25rem 0 0; background: var(--card); }
	main { padding-block: 1rem 2rem; border: 0; border-radius: 0; box-shadow: none; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
@media (forced-colors: active) { button { border-color: ButtonText; } svg { color: CanvasText !important; } }
`;

/** The hash of the style above, for the content security policy. */
export const STYLE_HASH = "sha256-o3gCOI8g0m+heyeZXuyusqzoVg+j0cDRuAkLBiJb04g=";

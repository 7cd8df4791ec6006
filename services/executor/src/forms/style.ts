export const STYLE = `
:root {
	color-scheme: light dark;
	--back: #f1f1ec; --card: #fdfdfb; --line: #deded6; --edge: #85857c; --ink: #20242c; --soft: #585f6d;
	--accent: #1f5fa8; --hover: #184c88; --on-accent: #fff; --bad: #a8322f; --bad-back: #f9e7e5; --shade: 30 35 45;
	--sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "PingFang TC", "Noto Sans TC",
		"Noto Sans CJK TC", "Microsoft JhengHei", sans-serif;
	--mono: ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
	:root {
		--back: #111317; --card: #1a1d23; --line: #2f353e; --edge: #76808e; --ink: #e6e8ec; --soft: #a0a8b5;
		--accent: #82b6f2; --hover: #a3caf6; --on-accent: #0d1a2a; --bad: #f5a09c; --bad-back: #3a1d1d; --shade: 0 0 0;
	}
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
	display: flex; flex-direction: column; align-items: center; min-height: 100vh; min-height: 100dvh; margin: 0;
	padding: clamp(1.25rem, 6vh, 4.5rem) 1.25rem; background: var(--back); color: var(--ink);
	font: 1rem/1.55 var(--sans); overflow-wrap: anywhere;
}
main {
	width: 100%; max-width: 38rem; padding: clamp(1.5rem, 6vw, 2.75rem); background: var(--card);
	border: 1px solid var(--line); border-radius: 16px;
	box-shadow: 0 1px 2px rgb(var(--shade) / .05), 0 12px 40px -12px rgb(var(--shade) / .18);
}
h1 { margin: 0; font-size: 1.6rem; line-height: 1.25; letter-spacing: -.02em; text-wrap: balance; }
h2 { margin: 0; font-size: 1rem; font-weight: 650; }
p { margin: .75rem 0 0; }
a { color: var(--accent); text-underline-offset: .15em; }
code { font: .875em/1.5 var(--mono); }
.text, .help { white-space: pre-line; }
.text { font-size: 1.05rem; }
.question p, .question ul, .question ol { margin: .75rem 0 0; white-space: normal; }
.question ul, .question ol { padding-left: 1.4rem; }
.question h2 { margin-top: 1rem; font-size: 1.1rem; }
.question code { padding: .05em .3em; border-radius: 4px; background: var(--back); }
.shown { display: grid; gap: .15rem 1rem; margin: 1.25rem 0 0; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 12px; }
.shown dt { color: var(--soft); font-size: .9rem; }
.shown dd { margin: 0 0 .5rem; white-space: pre-wrap; }
.soft, .help { color: var(--soft); font-size: .9rem; font-weight: 400; }
.unseen, .more { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }

form { display: grid; gap: 1.5rem; margin-top: 1.75rem; }
fieldset { min-width: 0; margin: 0; padding: 0; border: 0; }
.group { display: grid; gap: 1.25rem; padding: 1.1rem 1.25rem 1.4rem; border: 1px solid var(--line); border-radius: 12px; }
.group > .help { margin: 0; }
.group > legend { padding: 0 .4rem; margin-left: -.4rem; font-size: 1.05rem; }
legend { padding: 0; }
label, legend { display: block; font-weight: 600; }
.help { margin: .1rem 0 0; }
.problem { margin: .3rem 0 0; color: var(--bad); font-weight: 550; }
input, select, textarea, button { max-width: 100%; border-radius: 10px; font: inherit; }
input:not([type="checkbox"], [type="radio"]), select, textarea {
	width: 100%; min-height: 2.9rem; margin-top: .4rem; padding: .5rem .9rem; border: 1px solid var(--edge);
	background-color: var(--card); color: var(--ink);
}
input[type="number"], input[type="date"], input[type="time"], input[type="datetime-local"] { width: min(100%, 18rem); }
textarea { display: block; min-height: 7rem; resize: vertical; }
.option { display: flex; gap: .7rem; align-items: flex-start; padding: .3rem 0; }
.option label { flex: 1; padding-top: .05rem; font-weight: 450; }
div.field > .option label { font-weight: 600; }
legend + .option, .help + .option { margin-top: .35rem; }
.option + .help, .option + .problem { margin-left: 2.1rem; }
.option input { flex: none; width: 1.4rem; height: 1.4rem; margin: .1rem 0 0; accent-color: var(--accent); }
input[aria-invalid], select[aria-invalid], textarea[aria-invalid] {
	border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad);
}
.option input[aria-invalid] { outline: 2px solid var(--bad); outline-offset: 1px; box-shadow: none; border-radius: 4px; }
fieldset[aria-invalid] { padding-left: .9rem; border-left: 3px solid var(--bad); }
.summary {
	margin-top: 1.5rem; padding: 1rem 1.25rem; border: 1px solid var(--bad); border-radius: 12px;
	background: var(--bad-back);
}
.summary ul { margin: .5rem 0 0; padding-left: 1.2rem; }
.summary a { color: inherit; font-weight: 600; }
button {
	justify-self: start; min-width: 9rem; min-height: 2.9rem; padding: .5rem 1.75rem; border: 1px solid transparent;
	background: var(--accent); color: var(--on-accent); font-weight: 650; cursor: pointer;
	transition: background-color .12s;
}
button:hover { background: var(--hover); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.option input:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }

@media (min-width: 30.01rem) { html { scrollbar-gutter: stable both-edges; } }
@media (max-width: 30rem) {
	body { padding: 0; background: var(--card); }
	main { padding-block: 1.75rem 2.5rem; border: 0; border-radius: 0; box-shadow: none; }
	button { justify-self: stretch; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
@media (forced-colors: active) { button { border-color: ButtonText; } }
`;

/** The hash of the style above, for the content security policy. */
export const STYLE_HASH = "sha256-vw+tIslGrJdhHO+tSXHuGNUQ41Qn8o9sF1T871Cwm4M=";

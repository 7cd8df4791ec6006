import assert from "node:assert/strict";
import { test } from "node:test";
import { stem } from "../../src/domain/search/porter.ts";

/** The examples of the published algorithm by step, with their result after all steps. */
const PUBLISHED =
	"caresses caress ponies poni ties ti caress caress cats cat feed feed agreed agre plastered plaster bled bled " +
	"motoring motor sing sing conflated conflat troubled troubl sized size hopping hop tanned tan falling fall " +
	"hissing hiss fizzed fizz failing fail filing file happy happi sky sky relational relat conditional condit " +
	"rational ration valenci valenc hesitanci hesit digitizer digit conformabli conform radicalli radic " +
	"differentli differ vileli vile analogousli analog vietnamization vietnam predication predic operator oper " +
	"feudalism feudal decisiveness decis hopefulness hope callousness callous formaliti formal sensitiviti sensit " +
	"sensibiliti sensibl triplicate triplic formative form formalize formal electriciti electr electrical electr " +
	"hopeful hope goodness good revival reviv allowance allow inference infer airliner airlin gyroscopic gyroscop " +
	"adjustable adjust defensible defens irritant irrit replacement replac adjustment adjust dependent depend " +
	"adoption adopt homologou homolog communism commun activate activ angulariti angular homologous homolog " +
	"effective effect bowdlerize bowdler probate probat rate rate cease ceas controll control roll roll";

/** Words of the published vocabulary whose stems depend on the less obvious rules. */
const VOCABULARY =
	"abandoned abandon ability abil abominably abomin absolutely absolut apology apolog dying dy yes ye says sai boyish " +
	"boyish knightly knightli by by as as lying ly skies ski possibly possibl controlling control agreement agreement";

for (const [name, list] of [
	["the published examples", PUBLISHED],
	["words of the published vocabulary", VOCABULARY],
] as const) {
	test(`stems of ${name}`, () => {
		const words = list.split(" ");
		for (const [place, word] of words.entries()) {
			if (place % 2 === 0) assert.equal(stem(word), words[place + 1], word);
		}
	});
}

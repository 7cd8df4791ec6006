const { search } = await import('/work/main/bench/knowledge/search.ts');
console.table(await search(w=>console.error(w)));

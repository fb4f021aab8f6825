package lunar

// DeckBoard and CardsFor are the deck of the page, which the test compares with the one that is dealt.
const DeckBoard = deckBoard

var CardsFor = cardsFor

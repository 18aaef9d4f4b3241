/** A fictional theme. Its title words combine freely; its code prefixes the numbers of its minifigs. */
export type ThemeVocabulary = {
  name: string
  code: string
  subthemes: readonly string[]
  places: readonly string[]
  things: readonly string[]
  roles: readonly string[]
}

/** The 15 themes, largest first. None is the name of a real product line. */
export const THEMES: readonly ThemeVocabulary[] = [
  theme(
    'Harbor Row',
    'hbr',
    'Pilot Boats|Fish Market|Shipyard',
    'Tidewater|Saltmarsh|Gullwing|Driftwood|Lanternfish|Pebble Bay|Northquay|Östholm|Brackish|Sandbar|Mooring|Seaglass',
    'Lighthouse|Ferry Pier|Customs House|Boat Shed|Fish Stall|Tugboat|Dry Dock|Harbor Crane|Sail Loft|Net Store|Rope Walk|Café Terrace',
    'Harbor Pilot|Net Mender|Lighthouse Keeper|Deckhand|Ferry Captain|Oyster Seller|Sailmaker',
  ),
  theme(
    'Railhead Valley',
    'rhv',
    'Freight|Branch Line|Stations',
    'Copper Canyon|Maple Creek|Foxglove|Ironbridge Hollow|Long Meadow|Sidewinder|Amber Ridge|Cinder Hill|Juniper|Quarry Bend|Half Mile|Windrush',
    'Crossing|Signal Box|Water Tower|Freight Wagon|Roundhouse|Shunter|Station House|Viaduct|Railbus|Platform Kiosk|Snow Plough|Mail Coach',
    'Signal Keeper|Engine Driver|Track Layer|Station Master|Ticket Clerk|Stoker|Porter',
  ),
  theme(
    'Clockwork Quarter',
    'clk',
    'Guild Street|Automata',
    'Brasswheel|Pendulum|Tinker Lane|Copperleaf|Mainspring|Seventh Bell|Gearwright|Bobbin|Quicksilver|Escapement|Ratchet|Noonday',
    'Clock Tower|Workshop|Arcade|Toyshop|Observatory|Music Box|Orrery|Balloon Dock|Fête Pavilion|Tram|Print House|Automaton',
    'Clockmaker|Lamplighter|Tinker|Balloonist|Organ Grinder|Inventor|Telegraphist',
  ),
  theme(
    'Meadow and Mill',
    'mdm',
    'Orchard|Dairy|Market Day',
    'Barleycorn|Clover Field|Honeydew|Old Willow|Thistledown|Sunny Acre|Applegate|Haymaker|Larkspur|Bramble|Cornflower|Millstream',
    'Windmill|Farmhouse|Cider Press|Bakery|Hen House|Market Stall|Creamery|Tractor Barn|Beehives|Crêpe Stand|Watermill|Hay Wagon',
    'Miller|Beekeeper|Shepherd|Baker|Orchard Hand|Dairy Farmer|Cheesemonger',
  ),
  theme(
    'Orbital Yard',
    'orb',
    'Docking Ring|Salvage|Survey',
    'Perihelion|Farside|Daybreak|Zenith|Quiet Comet|Starling|Umbra|Ringfall|Blue Nebula|Apogee|Twin Moons|Solstice',
    'Tug|Fuel Depot|Habitat|Rover|Docking Arm|Relay Station|Survey Drone|Greenhouse Dome|Lander|Cargo Pod|Repair Bay|Telescope',
    'Dock Engineer|Orbit Pilot|Salvage Diver|Star Cartographer|Hydroponist|Relay Operator|Rover Mechanic',
  ),
  theme(
    'Stonecrown Keep',
    'stk',
    'Border Watch|Royal Court',
    'Ravenmoor|Highgate|Thornwall|Silver Stag|Mossy Ford|Kingswell|Greyhelm|Oakenshade|Red Pennant|Farrow|Briarholt|Eastmarch',
    'Gatehouse|Watchtower|Smithy|Drawbridge|Great Hall|Siege Tower|Tournament Field|Stable|Scriptorium|Bell Tower|Falconry|Château Ruin',
    'Gate Warden|Falconer|Blacksmith|Herald|Archer|Scribe|Court Cook',
  ),
  theme(
    'Verdant Expedition',
    'vdx',
    'Canopy|River Camp',
    'Emerald|Fern Hollow|Howling Gorge|Orchid|Misty River|Sunken|Vine Gate|Parrot Point|Jade|Rainwater|Lost Terrace|Banyan',
    'Temple Steps|Canopy Camp|Rope Bridge|River Raft|Field Laboratory|Cable Car|Waterfall Lookout|Seaplane|Supply Truck|Tree House|Map Room|Botany Hut',
    'Botanist|River Guide|Map Maker|Seaplane Pilot|Camp Cook|Insect Collector|Rope Climber',
  ),
  theme(
    'Lantern Street',
    'lns',
    'Night Market|Theatre',
    'Jasmine|Paper Moon|Crimson|Persimmon|Firefly|Plum Blossom|Golden Carp|Velvet|Evening|Moonrise|Silk|Glimmer',
    'Noodle Bar|Kite Shop|Puppet Theatre|Tea Room|Dumpling Cart|Corner Cinema|Flower Stall|Footbridge|Bookshop|Night Bakery|Parade Float|Lantern Maker',
    'Kite Maker|Puppeteer|Noodle Cook|Bookseller|Flower Seller|Stilt Walker|Lantern Bearer',
  ),
  theme(
    'Glacier Watch',
    'glw',
    'Ice Road|Field Station',
    'Frostfall|Polar Ridge|White Lynx|Aurora|Snowdrift|Crevasse|Northern Light|Icefjord|Blue Ice|Winterhome|Sastrugi|Långsjö',
    'Research Base|Ice Drill|Sled Team|Snow Crawler|Weather Mast|Rescue Hut|Ice Cave|Supply Plane|Seal Lookout|Core Store|Glögg Stand|Radio Dome',
    'Ice Surveyor|Sled Driver|Weather Watcher|Core Driller|Rescue Climber|Radio Operator|Seal Counter',
  ),
  theme(
    'Sky Ferry Lines',
    'sfl',
    '',
    'Cirrus|Tailwind|Cloudbank|High Noon|Swift|Kestrel|Thermal|Rainbow|Featherlight|Upper Deck|Meridian|Skylark',
    'Airship|Mooring Mast|Terminal|Cargo Blimp|Mail Glider|Hangar|Sky Bridge|Pilot School|Observation Deck|Rescue Gyro|Luggage Cart|Control Tower',
    'Airship Captain|Glider Pilot|Steward|Rigger|Wind Reader|Luggage Hand|Navigator',
  ),
  theme(
    'Tidepool Deep',
    'tpd',
    'Reef|Trench',
    'Coral|Anemone|Barnacle|Deepwater|Sargasso|Nautilus|Pearl|Starfish|Twilight Zone|Blue Whale|Sea Fan|Undertow',
    'Submersible|Dive Platform|Reef Laboratory|Sea Cave|Exosuit|Wreck Site|Glass Dome|Kelp Farm|Turtle Nursery|Sonar Buoy|Manta Scooter|Diving Bell',
    'Deep Diver|Reef Biologist|Sub Captain|Kelp Farmer|Sonar Operator|Wreck Explorer|Pearl Diver',
  ),
  theme(
    'Speedway Junction',
    'spj',
    '',
    'Redline|Chicane|Apex|Dusty Mile|Thunder Bend|Slipstream|Checkered|Hairpin|Turbo|Midnight|Gravel|Pole Lap',
    'Pit Stop|Rally Car|Dragster|Grandstand|Tow Truck|Hill Climb|Kart Track|Test Bench|Transporter|Timing Tower|Stunt Ramp|Tyre Shop',
    'Pit Mechanic|Rally Driver|Flag Marshal|Tyre Changer|Stunt Rider|Timekeeper|Team Manager',
  ),
  theme(
    'Moonlit Grove',
    'mlg',
    'Fae Court|Owl Wood',
    'Silverbark|Whispering|Toadstool|Dewdrop|Owlfeather|Starpetal|Hollow Oak|Nightbloom|Mooncap|Rowan|Gossamer|Candlewick',
    'Cottage|Mushroom Inn|Wishing Well|Unicorn Glade|Owl Post|Fairy Ring|Spell Library|Swan Boat|Crystal Spring|Troll Bridge|Sleeping Giant|Midsummer Dance',
    'Grove Keeper|Owl Messenger|Hedge Witch|Mushroom Gnome|Moon Dancer|Forest Piper|Spellwright',
  ),
  theme(
    'Pocket Gardens',
    'pkg',
    '',
    'Balcony|Windowsill|Rooftop|Secret|Sunroom|Terracotta|Little|Alpine|Water Lily|Rosé|Courtyard|Bluebell',
    'Herb Box|Ivy Trellis|Moss Tray|Rose Arch|Cactus Trio|Fern Shelf|Bird Bath|Tulip Tray|Orchid Pot|Lemon Tree|Lavender Bed|Greenhouse',
    'Gardener|Florist|Bird Watcher|Seed Collector|Rose Grower|Herbalist|Pond Keeper',
  ),
  theme(
    'Thimble Town',
    'thb',
    'Main Street|School Days',
    'Button Lane|Cosy Corner|Acorn|Patchwork|Gingham|Ribbon|Sixpenny|Daisy|Marble|Puddle|Snug|Penny Square',
    'Bakehouse|Post Office|Playground|Ice Cream Van|Pet Clinic|School Bus|Fire Station|Library|Ballet Studio|Puppet Show|Swimming Pool|Birthday Party',
    'Postal Carrier|Teacher|Vet|Ice Cream Seller|Librarian|Firefighter|Crossing Guard',
  ),
]

/** Outfits; combined with a role they form the name of a minifig. */
export const OUTFITS: readonly string[] = (
  'Yellow Raincoat|Striped Jersey|Green Apron|Red Scarf|Blue Overalls|Straw Hat|Leather Satchel|Round Glasses|Gray Beard|' +
  'Wool Cap|Silver Whistle|Patched Waistcoat|Tall Boots|Orange Vest|Velvet Cloak|Tool Belt|Béret|Checked Shirt|' +
  'Flower Badge|Work Gloves|Long Braid|White Coat|Sun Visor|Brass Buttons'
).split('|')

export const COLORS: readonly string[] =
  'Black|White|Red|Blue|Yellow|Dark Green|Light Gray|Sand Blue|Dark Orange|Medium Lavender|Tan|Teal'.split('|')

function theme(
  name: string,
  code: string,
  subthemes: string,
  places: string,
  things: string,
  roles: string,
): ThemeVocabulary {
  const list = (words: string) => words.split('|').filter((word) => word !== '')
  return {
    name,
    code,
    subthemes: list(subthemes),
    places: list(places),
    things: list(things),
    roles: list(roles),
  }
}

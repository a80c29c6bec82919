// SPDX-License-Identifier: Apache-2.0

/// The words of ``CommonPasswords``, in lower case and in order.
enum CommonPasswordList {
    static let text = """
        007bond 123456789a 12345678a 1234567a 123456a 1234abcd 1234qwer 123abc 123abc123 123qwe
        1a2b3c4d 1q2w3e 1q2w3e4r 1qazxsw2 2pac 50cent a123456 a1234567 a12345678 a1b2c3d4 aa123456
        aa12345678 aaaaaa aaron abba abby abc123 abc1234 abc12345 abcabc abcd1234 abcdef abcdefg
        abcdefgh abigail abracadabra abraham access access14 accesscode acdc achilles acht actor
        actress adam adidas adler admin admin123 admin1234 admin12345 adminadmin administrator
        administrator1 adrian adriana aerosmith africa aiden airbus airforce airplane ajax alabama
        alakazam alan alaska albert alberto albrecht aldi alejandra alejandro alex alexa alexander
        alexandra alexandria alexis alfaromeo alfred alfredo alice alicia alien aliens alison
        allen allison alone always alyssa amanda amazon amber amd amelia amen america amiga amigo
        amigos amor amore amoremio amour amsterdam amy ana anakin anastasia anderson andre andrea
        andreas andres andrew android andy angel angela angelic angelina angelo angels angie anita
        ankara anmelden ann anna annabelle anne annette annie anonymous ant anthony antichrist
        antoine anton antonio anyone anything apfel apollo apollo11 apollo13 apple apples april
        aragorn arbeit argentina ariana arianagrande ariel arizona armani army arnold arschloch
        arsenal artemis arthur artist arturo asdf asdf1234 asdfasdf asdfgh asdfghjkl asdfjkl
        ashlee ashley ashton asshole asteroid astonvilla astrid astronaut atari athena athens
        atlanta auckland audi audrey august aurora austin australia austria author auto autos
        autumn autumn2024 ava avatar avengers azerty azerty123 azertyuiop azure baby baby123
        babyboy babydoll babyface babygirl bach backup bacon badboy badboys badger badgirl baer
        baerchen bailey baker ballet bambi bamboo banana bananas banane bandit bangkok bar barbara
        barcelona barnes barney barry bart bartsimpson baseball baseball1 basel basketball bass
        batman batman123 batterystaple battleship bauer baumann bayern bayernmunchen baz beach
        beaches beagle bear bears beatles beatrice beatriz beautiful beaver beck becker becky bee
        beer beethoven beetle beijing beispiel belgium believe believer bell bella ben bender
        benfica bengals benjamin bennett bentley benutzer berger bergmann berlin bern bernard
        bernd bernie besiktas bestfriend bestfriends beth bethany betty beverly beyonce bianca
        bible bicycle bieber bienvenido bier bigboy bigcock bigdick bigdog biggie biker bilbo bill
        billieeilish billion billy birthday bitch bitcoin black blackcat blackdog blackjack
        blacklabel blackpink blank blaze bleach blessed blessing blessings blink182 blossom
        blowjob blue blueberry bluebird blues bluesky bluetooth blume blumen bmw bob bobafett
        bobby boehm boeing boeing747 bond007 bondage bonita bonjour bonjovi bonnie booboo boobs
        boomer boots borussia boston boxer boxing boyfriend brad bradley brandi brandon brandt
        brandy brasil brasil123 bratwurst braun braveheart brazil bremen brenda brendan brent
        brett brian briana brianna bridget brisbane britain britney brittany broken brokenheart
        broncos bronx bronze brooke brooklyn brooks brother brown brownie bruce bruder bruno
        brussels bryan bryant bts bucharest buck budapest buddy budweiser bugatti bugsbunny buick
        builder bulgaria bull bulldog bulls bullshit bumblebee bunny burger burgerking busch
        business buster butler butter butterfly buzz bvb09 cadillac caesar cairo caitlin caleb
        california callie callofduty calvin camaro cambridge camelot cameron camila camille
        campbell camping canada candice candy captain captainamerica carina carino cariño carl
        carla carlo carlos carmen carol carolina caroline carolyn carpenter carrie carrot carson
        carter cartman casey cash cashmoney casino casper cassandra cassie cat catalina
        caterpillar catherine catholic cathy cats catwoman cecilia celtic celtics cesar chad
        challenger champagne champion champions chanel changeit changeme changeme123 chantal
        charger chargers charizard charlene charles charlie charlotte cheese cheesecake chelsea
        chelseafc cherry cherryblossom cheryl chester chevrolet chevy chevytruck chewbacca chicago
        chicken chihuahua chile chimp china chloe chocolate chouchou chris christ christian
        christiane christina christine christmas christoph christopher chrome chrysler chuck
        church ciao ciaociao cindy cisco citroen civic claire clara clark claude claudia clave
        cleo cleopatra clifford climbing clinton cobra cocacola coco coconut cody coffee coke
        coldplay coleman colin college collie collins cologne colombia comcast comet company
        compaq computer connie connor conrad contrasena contraseña converse cook cookie cookies
        cool coolboy cooldude coolgirl coolguy coolman cooper copenhagen corazon corey corinthians
        cornelia corona correct correcthorse correcthorsebatterystaple corsa corvette cory cosmos
        costco coucou counterstrike courage courtney cow cowboy cowboys cowgirl cows cox cplusplus
        craig cricket crimson cristian cristina croatia crow crypto crystal cuba cubs cumshot
        cupcake curtis cute cutie cutiepie cycling cynthia dachshund dad daddy daffy daisy dakota
        dallas dalmatian damian dan dana dancer dancing danger daniel daniela danielle danny
        daphne darius darlene darren darthvader database daughter dave david davide davinci davis
        dawn deadpool dean deanna deathnote debbie debian deborah debra december deer default
        deftones delhi dell demo demo1234 demodemo demon demons denmark dennis denver derek
        derrick desert designer desiree desktop destiny detective detroit deutschland devil devils
        devin dezember diablo diamond diamonds diana diane dickhead diego dienstag dieter dietrich
        digimon dimitri dior dirk discord disney disneyland dlink dmitry docker doctor dodge dog
        dogecoin doggie doggy dogs dollar dollars dolores dolphin dolphins dominic dominik
        dominique don donald donaldduck donkey donkeykong donna donnerstag donut doom dora doris
        dorothy dortmund dory dota doudou doug douglas dove drache drachen dracula dragon
        dragon123 dragonball dragonballz dragonfly dream dreamer dreaming dreams drei dresden drew
        driver drummer drums dublin ducati duck ducks duesseldorf duke dumbledore dummkopf duncan
        dupa dustin dwayne dylan eagle eagles earth earthquake easter ebay eddie edeka eduardo
        edward edwards edwin egypt eight eileen einhorn eins einstein einszwei einszweidrei
        eintracht elaine eleanor electric electrician elena elephant eleven eli elias elijah elisa
        elisabeth elizabeth ella ellen ellie elmo elsa elvis email emerald emil emilia emilie
        emilio emily eminem emma emmanuel empty energy engel engineer england enrique enterprise
        erdbeere erde eric erica erich ericsson erik erika erin ernesto ernst espana espresso
        esteban esther estrella estrellita ethan ethereum eugene europe eva evan evangelion evans
        eve evelyn everton everybody everything evil example excalibur exchange exo ezekiel fabian
        facebook fahrrad faith falcon falcons falke fall fallout familia familie family familyguy
        fanta fantasy farmer fate father fatima fcbayern februar february fedora felicia felipe
        felix fenerbahce ferien fernanda fernando ferrari fetish feuer feyenoord fiat fick
        fickdich fiesta finance finland fiona fire fireball firebird firefighter firefly firefox
        fireman firewall fischer fish fisherman fishing five flame flamengo flames flores florian
        florida flower flowers fluffy focus foo foobar foobarbaz football football1 football123
        ford fordmustang forest forever forever1 forget forgotpassword forgotten formula1 fortnite
        forzainter forzamilan foster fotze found four fox foxes foxy france frances francesca
        francesco francis francisco frank franke frankenstein frankfurt franz fred freddie freddy
        frederic freedom freedom1 freiheit freitag freund freunde freundin friday frieden
        friedrich friend friends friendship fritz frodo frog froggy frozen fruehling fuchs fuckme
        fuckoff fuckyou fuenf fussball futurama future futures gabriel gabriela gabriele gabrielle
        galatasaray galaxy galileo game gameboy gamecube gamer gamers games gaming gandalf gangsta
        gangster garcia garfield garten gary gast gatehouse gatekeeper gatorade gavin gears
        geburtstag gecko geheim geheimnis gene geneva georg george georgia gerald gerard gerhard
        germany ghetto ghost ghosts giants gilbert gina ginger giovanni giraffe girlfriend gisela
        github gitlab giulia giuseppe gladiator glenn gloria glory glueck gluecklich gmail goat
        god godbless goddess godfather godisgood godislove gohan goku gold golden goldeneye
        goldfish golf golfball golfer golfing goliath gollum gonzalez goodboy goodbye goodgirl
        goodluck goodmorning goodnight goofy google goose gordon gorgeous gorilla gotham grace
        graduate graf graham grandma grandpa grant grape gray greece green greenday greg gregory
        greta grey greyhound gross gryffindor gucci guenther guest guido guillermo guinness guitar
        guitars gundam gunsnroses gunther gustavo guten gutenmorgen gutentag guy haas hacked
        hacker hackers hacking hackme hades haha hahaha hahahaha hahn halflife hall hallo hallo123
        hallohallo halloween hallowelt halo halo123 hamburg hamlet hammer hamster handball
        handsome hannah hannover hans hansolo happiness happy happyday harald hardcore harlem
        harley harleydavidson harleyquinn harmony harold harris harry harrypotter hartmann harvard
        harvey hase hasi haslo hassan haus havana hawaii hawk heart heartbreak hearts heather
        heaven heavymetal heidi heike heiko heineken heinrich heinz helen helena helene helga
        helicopter hell hello hello123 hellohello hellokitty helloworld helmut helpdesk helsinki
        henderson henri henry herbert herbst hercules herman hermann hermione hermosa hernandez
        hero heroes herrmann hertha hewlett hiking hilary hill hillbilly himmel hinata hiphop
        hippo hithere hobbit hochzeit hockey hockey1 hocuspocus hoffmann hofmann hogwarts hoihoi
        hola holahola holger holiday holland holly hollywood holmes holy holyspirit homer honda
        honey honeybear honeybee honeybun hongkong honor honour hope horn horse horsebattery
        horses horst hotboy hotdog hotgirl hotmail hotstuff hottie house houston howard hsv1887
        huber hughes hugo hulk hummer hund hundred hungary hunter hunter2 hunting hunting1 hure
        hurricane husband husky hustle hustler hyundai iamgod iamking iamlegend iamthebest ian ibm
        ibrahim ice icecream icecube iceman ichigo ichliebe ichliebedich identity idiot idk
        idontcare idontknow idp iforgot ignacio igor ihavenoidea ikea ilovegod iloveher ilovehim
        ilovejesus iloveme ilovemyself iloveu iloveyou iloveyou1 iloveyou2 imac imagination
        imagine impala impreza india indiana indianajones indigo indonesia ines inferno inge ingo
        ingrid instagram intel intermilan internet inuyasha ipad iphone ipsum ireland irene irina
        iris ironmaiden ironman isaac isabel isabella isabelle isaiah island israel istanbul
        itachi italia italy itunes ivan jack jackdaniels jackie jackpot jackson jacob jacqueline
        jade jaeger jaguar jaime jakarta jake jakob jamaica james jamesbond jamie jan jana jane
        janet janice janina januar january japan jasmin jasmine jason jasper java javascript
        javier jay jayden jazz jean jeanette jedi jedimaster jeep jeff jeffrey jen jenkins jenna
        jennie jennifer jenny jens jeremiah jeremy jerome jerry jersey jerusalem jesse jessica
        jessie jesus jesus1 jesuschrist jesusislord jetaime jets jill jim jimmy jo joachim joan
        joana joanna joaquin jochen joe joel joerg joey johan johann johanna johannes john john316
        johncena johndeere johnny johnson joker jon jonas jonathan jones jordan jordan1 jordan23
        jose josef josefina joseph josephine josh joshua joy joyful juan juana judith judo judy
        juli julia julian juliana juliane julie juliet julius july june jung jungle juni juniper
        jupiter jurgen justice justin justinbieber justine juventus juventus1 kaffee kai kaiser
        kakashi karate karen karin karina karl karla kartoffel katarina kate katharina katherine
        kathleen kathrin kathryn kathy katie katja katrin katrina katze kawasaki kayla keith
        keller kelly kelsey ken kennedy kennwort kenny kenobi kentucky kenya kermit kerry kerstin
        kevin keyboard kia kiev killer kim kimberly kinder king kirby kirk kirsche kitten kitty
        kittycat kiwi klaus klein knight knights koala koch kochanie koehler koeln koenig konrad
        konstantin korn kpop kraemer kraus krause kristen kristin kristina kristine krueger ktm
        kubernetes kuchen kuehn kuhn kungfu kurt kyle kyoto labrador lacrosse ladybug ladygaga
        lake lakers lamb lamborghini lance lancelot landrover lang lange laptop lara larissa larry
        lars lasvegas latte laughter laura lauren laurence laurie lavender lawrence lawyer lea
        league leagueoflegends leah leben ledzeppelin leeds legend legends lego legolas lehmann
        lehrer leipzig lemon lemons lena lenovo leo leon leonard leonardo leonie leslie letmein
        letmein123 letmeinnow levis lewis liam liberty lidl liebe liebedich liebling lightning
        lilly lily lincoln linda lindsay lindsey link linkedin linkinpark linksys linux lion lions
        lisa lisboa lisbon liverpool lizard lkjhgf loewe logan login loginlogin logitech logon lol
        lollol lolol london lonely long lopez lordjesus lordoftherings lorem loremipsum lorena
        lorenz lorenzo lori losangeles loser losers lost losungswort lottery louis louise
        louisvuitton loulou love lovelove lovely loveme lover lovers loves loveyou loyalty
        lozenord luca lucas lucia lucie lucifer luck lucky lucky13 lucky7 luckyone lucy ludwig
        luffy luft luigi luis luisa luke lukeskywalker luna lutz lydia lynn macbeth macbook
        macintosh mackenzie madeline madison madonna madrid maerz maggie magic magical mai maier
        maik mail malaysia mama mamapapa management manager manchester mandy manfred mango
        manhattan manuel manuela maple marathon marc marcel marcela march marco marcos marcus
        margaret margarete margarita marge maria mariah mariana marianne marie marilyn marina
        marine marines mario marion mariposa marisa marissa mark marketing markus marlene mars
        marseille marsha martha martin martina martinez marty marvel marvin mary maserati master
        master1 masterchief masterkey mastiff mateo mathias mathilda matrix matt matteo matthew
        matthias maureen maurice maus mausebaer mausi max maxim maximilian maximus maxmustermann
        maxwell may maya mayer maytheforce maytheforcebewithyou mazda mcdonalds mechanic megadeth
        megan mehmet meier melanie melbourne melinda melissa melon memories memory mercedes
        mercedesbenz mercury mercy meredith merlin messiah metallica meteor metroid mets mewtwo
        mexico meyer mia miami micaela michael michael1 michaela michaeljackson michel michele
        michelle mickey mickeymouse micorazon microsoft midnight miguel mike mikhail milan milena
        miles military milkshake miller million millionaire milo mindy minecraft minnie miranda
        miriam misiek missy misty mitchell mitsubishi mittens mittwoch mivida mnbvcxz mobile mocha
        model moeller mohamed mohammed moin moises molly mom momdad moment mommy mond monday money
        moneyman mongodb monica monika monique monitor monkey monkey123 monkeys monster monsters
        montag montana montreal moon moonlight moonraker moonshine moore moose mordor morgan
        moritz morocco morpheus morris moscow moses moskva motdepasse mother motorola motorrad
        mountain mountains mouse mozart mozilla mueller muenchen muffin muhammad muller mumbai
        munchen munich murat murphy music musical musician mustafa mustang mustang1 muster
        musterfrau mustermann mutter mypass mypass123 mypassword mypassword1 mysecret myspace
        mysql mystery mystic mystical nachos nadia nadine nancy naomi naples napoleon napoli
        naruto nasa nascar natalia natalie natasha nathan nathaniel navy ncc1701 ncc1701d neil
        nelson nemo neo neptune netflix netgear network neumann neun nevada never newcastle
        newpassword newton newyear newyork newyorkcity newzealand nicholas nick nicky nico nicola
        nicolas nicole nigeria nike nikita niklas nikolai nils nina nine ninja ninjas nintendo
        nipples nirvana nissan noah nobody noclue noel nokia none noodle noodles nopass nopassword
        nora norbert norman norway nothing nothing1 november nuernberg null number1 numberone
        nurse nvidia oak oasis oauth oauth2 obama obiwan oblivion ocean oceans octavia october
        octopus odysseus oesterreich office office365 oktober olaf oldpassword oleg olga oliver
        olivia oma omar omg one onedirection onepiece onetwo onetwothree onion opa opal opel
        openid openidconnect opensesame opera operator oracle orange oranges orchid oreo osaka
        oscar oslo osman ostern othello otter otto outlook overwatch owl oxford p@ssw0rd p@ssword
        pa55w0rd pa55word pablo packard packers pacman paige pakistan palmeiras pamela panasonic
        pancake panda pantera panthers paola paolo papa paris parker parol parola parrot pascal
        pass pass123 pass1234 pass12345 passat passcode passkey passpass passphrase passw0rd
        passw0rd1 passwd password password! password1 password12 password123 password1234
        password2 password3 passwordpassword passwort past patches patricia patrick patrickstar
        patriots patrizia patterson paul paula paulina pauline paypal peace peaceful peach peanut
        pearl pedro peggy penelope penguin penis penner pentium pepper pepsi perez perl perry peru
        pete peter peters peterson petra peugeot pfeiffer pferd pharaoh phil philadelphia philip
        philipp philippines philips phillip phillips phoenix phone phyllis piano picard picasso
        pickle pickles pierre pigeon pikachu pilot pimp pimpin pineapple pink pinkfloyd pirate
        pirates pitbull pizza planet playa playboy player players playgame playgirl playing
        playmobil playstation playstation3 please plumber pluto pohl poiuyt pokemon poker poland
        police polo polska pontiac pony poodle popcorn porn porsche porsche911 portal portland
        porto portugal poseidon postgres postgresql potato powell power powerful prada prague
        praise prayer precious predator present pretty price princesa princess princess1 princeton
        printer private provider psalm23 psalms puma pumpkin punkrock puppies puppy purple pussy
        python q123456 q1w2e3r4 qazwsx quake quebec queen quentin quickbrownfox qwe123 qweasd
        qweasdzxc qweqwe qwert qwerty qwerty1 qwerty123 qwerty1234 qwerty12345 qwertyui qwertz
        qwertz123 rabbit raccoon rachel racing radiohead rafael raiders railroad rain rainbow
        rainbows raindrop rainer rainy ralf ralph rambo ramirez rammstein ramon randy ranger
        rangerover rangers raphael rapid raquel rat raul raven ravens ray raymond realmadrid
        rebecca rechner red redbull reddit redhat redhead redis redneck redrose redskins redsox
        reebok reed reggae regina reinhard remember renate renault rene respect retriever rewe rex
        rhino ricardo riccardo rich richard richardson richter rick ricky rihanna riley rita river
        rivers rob robert roberta roberto roberts robin robinson roblox roblox123 rocket rocknroll
        rockstar rocky rockyii rodeo rodney rodrigo rodriguez rofl roger rogers roland rolex rolf
        rollingstones rollsroyce roma roman romania rome romeo ron ronald ronnie rooster root
        rootroot rosa rosalie rose rosemary rosen roses ross roth rottweiler roxanne roy ruben
        ruby rudolf rudy rugby runner running russell russia rusty ruth ryan saab sabine sabrina
        sadie sailor sailormoon saints sakura sales sally salvador salzburg sam samantha saml
        sammy sample samson samstag samsung samuel samurai samus sanchez sanders sandiego sandra
        sandro sandy sanfrancisco santiago saopaulo sapphire sara sarah sascha saskia sasuke satan
        satan666 saturday saturn sauer sauron sausage savannah savior saxophone scanner scarface
        scarlet schaefer schalke schalke04 schatz schatzi scheiss scheisse schlampe schmetterling
        schmid schmidt schmitt schneider schnitzel schokolade scholar scholz school schreiber
        schroeder schubert schueler schule schulte schulz schulze schumacher schuster schwarz
        schweiz schwester schwimmen scientist scooby scoobydoo scorpion scotland scott sean seat
        seattle sebastian sechs secret secret1 secret123 secreto secure security sega segredo
        seidel selena senha september serbia serena sergei sergio server service servus sesame
        seth seven sex sexsex sexy sexybitch sexyboy sexygirl sexylady shadow shadow1 shadows
        shakespeare shakira shane shanghai shannon sharepoint shark sharks sharon shaun shawn
        sheep sheila shelby shelly sheri sheriff sherlock sherry shirley shithead shogun shrek
        sieben siemens sierra sifre sigrid silke silver silvia simba simmons simon simona simone
        simpsons singapore singer singlesignon sister six skate skateboard skater skiing skiing1
        skoda skunk skylar skyline skype skyrim skywalker slack slayer slipknot slovenia slytherin
        smile smiles smiley smirnoff smith smokey snake snapchat sniper snoopdogg snoopy snow
        snowball snowboard snowflake snowman snowy soccer soccer1 socks sofia sofie softball sohn
        solaris soldier soleil solomon somebody someone something sommer sommer2020 son sonia
        sonic sonja sonnabend sonne sonnenschein sonntag sony sophia sophie sorcerer sorry
        southafrica southpark spaceship spaghetti spain sparky sparta spartan spartans spencer
        spider spiderman spock spongebob sporting spring spring2024 sprite squidward squirrel sso
        stacey stacy stan standard stanford stanley starbucks starcraft stardust starfish
        starlight stars startrek starwars steam steelers stefan stefania stefanie steffen stein
        stella stellina stephan stephanie stephen stern sterne steve steven stewart stockholm
        stocks storm stormy stpauli strawberry strength strong stuart student studium stuttgart
        subaru submarine subway sue sugar summer summer2023 summer2024 summer2025 sunday
        sunderland sunflower sunlight sunny sunrise sunset sunshine sunshine1 superhero superman
        superman1 superstar superuser support surfer surfing susan susanna susanne sushi suzanne
        suzuki sven swan sweden sweet sweetheart sweetie sweetness sweets sweety swimmer swimming
        switzerland sydney sylvester sylvia sysadmin system tabea taco taekwondo taiwan tamara
        tammy tania tanja tanya tara target tatiana taylor taylorswift tazmania tea teacher teamo
        teamomucho techno ted teddybear telekom telephone temp tempass templar temporary ten
        tennessee tennis tequiero tequila teresa terminator terri terrier terry tesla tessa test
        test1234 test12345 tester testing testpass testtest tetris teufel texas thailand thanks
        thankyou thanos thebest thedoors theo theodor theodore thequickbrownfox theresa therese
        therock thinkpad thirteen thisisapassword thisismypassword thomas thor thorsten thousand
        three thug thuglife thunder thunderball thunderstorm thursday tiamo tiffany tiger tigers
        tigger tiktok till tim timo timothy tina titanic titans tits titties tobeornottobe tobias
        toby tochter today todd together tokyo tolkien tom tomate tomato tommy tomorrow toni tony
        toor topaz topsecret tornado toronto torres torsten toshiba totoro tottenham toyota
        tractor tracy train trains trance travis trekkie trevor trinity tristan trojan trojans
        trombone troy truck trucker trucks trump trumpet trustme trustno trustno1 trustnobody
        truth tschuess tsunami tuesday tulip tupac turbo turkey turkiye turner turtle tweety
        twelve twitter two tyler tyrone u2 ubuntu udo ufo ukraine ulrich ulrike undefined
        undertaker unicorn unitedstates universal universe university unix unknown unreal uranus
        urlaub ursula usa user username usmarine uwe vacation vader vagina valentin valentina
        valentine valerie valley vampire vampires vancouver vanessa vanilla vans vater vegas
        vegeta venezuela venice venus vera verdammt verizon vernon veronica veronika versace vespa
        victor victoria victory vienna vier vietnam vikings villain vincent viola violet violeta
        violin viper virginia vivian vladimir vodafone vodka vogel vogt voigt volcano voldemort
        volker volkswagen volleyball volvo voyager wachtwoord waffle wagner wald wales walker
        wally walmart walter wanda warcraft ward warrior warriors warsaw washington wasser water
        waterfall watson wayne weber webmail webmaster website wedding wednesday weihnachten wein
        weiss welcome welcome1 welcome12 welcome123 welcome1234 welcomehome welkom welkom01 wendy
        werder werewolf werner wesley westham whale whatever whatsapp whiskers whiskey white
        whitewolf whitney whoami whoareyou wichser wien wife wifi wii wikipedia wilfried wilhelm
        willi william willie willow wilson wind windows windows10 windowsxp windy wine winkler
        winner winners winter winter2023 winter2024 winter2025 wireless wisdom witch wizard
        wizards wolf wolff wolfgang wolverine wolves wood woody worldofwarcraft wrangler wrestler
        wrestling wright writer wtf wurst wwe xavier xbox xbox360 xmas xxx xxxx xxxxxx yahoo yale
        yamaha yankees yasmin yellow yesterday yoda yolanda yoshi young youtube yusuf yvette
        yvonne yxcvbn yxcvbnm zachary zaq12wsx zaq1xsw2 zebra zehn zelda zeus ziegler zimmermann
        zitrone zoe zoey zombie zombies zoom zoro zuerich zugang zuhause zurich zwei zxcasdqwe
        zxcvb zxcvbn zxcvbnm
        """
}
